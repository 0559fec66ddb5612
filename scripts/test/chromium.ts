import { existsSync } from "node:fs";

import { installDebianPackage } from "@/scripts/service/debian-package";
import { Fault } from "@/scripts/service/fault";

/** Of these, the headless shell takes a third less processor time: it is Chromium without its own windows. */
const PATHS = [
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** The path of an installed Chromium: that of CHROMIUM_PATH before all others. */
export function findChromium(): string | undefined {
  return [process.env.CHROMIUM_PATH ?? "", ...PATHS].find((path) => path !== "" && existsSync(path));
}

/** The path of a Chromium. On Debian, as root, it is installed if missing. Throws Fault otherwise. */
export async function findOrInstallChromium(stopSignal: AbortSignal): Promise<string> {
  const found = findChromium();
  if (found) return found;
  await installDebianPackage(
    "chromium-headless-shell",
    "The browser tests need Chromium. If it is installed elsewhere, set CHROMIUM_PATH to its path.",
    stopSignal,
  );
  const installed = findChromium();
  if (!installed)
    throw new Fault(
      "apt-get installed the package chromium-headless-shell, but /usr/bin/chromium-headless-shell does not exist. " +
        "Set CHROMIUM_PATH to its path.",
    );
  return installed;
}
