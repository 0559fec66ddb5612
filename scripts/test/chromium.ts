import { existsSync } from "node:fs";

import { installDebianPackage } from "@/scripts/service/debian-package";
import { Fault } from "@/scripts/service/fault";

const PLACES = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

function find(): string | undefined {
  return [process.env.CHROMIUM_PATH ?? "", ...PLACES].find((path) => path !== "" && existsSync(path));
}

/**
 * The path of a Chromium; on Debian, started by root, it is installed when there is none. Throws a sentence otherwise.
 */
export async function findOrInstallChromium(asked: AbortSignal): Promise<string> {
  const found = find();
  if (found) return found;
  await installDebianPackage(
    "chromium",
    "The browser tests need Chromium; if it is there, name its path in CHROMIUM_PATH.",
    asked,
  );
  const installed = find();
  if (!installed)
    throw new Fault(
      "apt-get installed the package chromium, but no /usr/bin/chromium is there. Name its path in CHROMIUM_PATH.",
    );
  return installed;
}
