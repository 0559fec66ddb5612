import { existsSync } from "node:fs";
import { userInfo } from "node:os";

import { Fault } from "@/scripts/service/fault";
import { runProgram } from "@/scripts/service/program";

const PLACES = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

function find(): string | undefined {
  return [process.env.CHROMIUM_PATH ?? "", ...PLACES].find((path) => path !== "" && existsSync(path));
}

/** The path of a Chromium; on Debian, started by root, it is installed when there is none. Throws a sentence otherwise. */
export async function findOrInstallChromium(asked: AbortSignal): Promise<string> {
  const found = find();
  if (found) return found;
  if (!existsSync("/usr/bin/apt-get") || userInfo().uid !== 0) {
    throw new Fault("The browser tests need Chromium. Install it (Debian: sudo apt-get install chromium) or name its path in CHROMIUM_PATH.");
  }
  console.log("Installing Chromium …");
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  await runProgram("apt-get", ["update", "-q"], { name: "apt-get update", env, quiet: true, asked });
  await runProgram("apt-get", ["install", "-q", "-y", "--no-install-recommends", "chromium"], {
    name: "apt-get install chromium",
    env,
    quiet: true,
    asked,
  });
  const installed = find();
  if (!installed) throw new Fault("apt-get installed the package chromium, but no /usr/bin/chromium is there. Name its path in CHROMIUM_PATH.");
  return installed;
}
