import { existsSync } from "node:fs";

import { installDebianPackage } from "@/scripts/test/debian-package";
import { Fault } from "@/scripts/service/fault";

/** Chromium without its own windows. It takes a third less processor time than the others. */
const HEADLESS_SHELL = "/usr/bin/chromium-headless-shell";

const PATHS = [
  HEADLESS_SHELL,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** The path of an installed Chromium: that of CHROMIUM_PATH before all others. */
export function findChromium(): string | undefined {
  return [process.env.CHROMIUM_PATH ?? "", ...PATHS].find((path) => path !== "" && existsSync(path));
}

/**
 * The path of a Chromium. On Debian, as root, the headless shell is installed even beside another one, because it saves
 * more time than that takes. Throws Fault if there is no Chromium at all.
 */
export async function findOrInstallChromium(stopSignal: AbortSignal): Promise<string> {
  const found = findChromium();
  if (found && [process.env.CHROMIUM_PATH, HEADLESS_SHELL].includes(found)) return found;
  try {
    await installDebianPackage(
      "chromium-headless-shell",
      "The browser tests need Chromium. If it is installed elsewhere, set CHROMIUM_PATH to its path.",
      stopSignal,
    );
  } catch (error) {
    stopSignal.throwIfAborted();
    if (!found) throw error;
    console.log(`The browser tests use ${found}, since the lighter headless shell could not be installed.`);
  }
  const chromium = findChromium();
  if (!chromium) throw new Fault("The package of Chromium was installed, but there is no Chromium where it should be.");
  return chromium;
}
