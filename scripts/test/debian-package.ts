import { existsSync } from "node:fs";
import { userInfo } from "node:os";

import { Fault } from "@/scripts/service/fault";
import { runProgram } from "@/scripts/service/program";

/**
 * Installs a Debian package, as root on Debian. Elsewhere throws Fault with `purpose` (such as "The browser tests need
 * Chromium.") and how to install it.
 */
export async function installDebianPackage(name: string, purpose: string, stopSignal: AbortSignal): Promise<void> {
  if (!existsSync("/usr/bin/apt-get") || userInfo().uid !== 0)
    throw new Fault(`${purpose} Install it (Debian: sudo apt-get install ${name}).`);
  console.log(`Installing ${name} …`);
  const options = { env: { DEBIAN_FRONTEND: "noninteractive" }, quiet: true, stopSignal };
  await runProgram("apt-get", ["update", "-q"], { name: "apt-get update", ...options });
  const install = ["install", "-q", "-y", "--no-install-recommends", name];
  await runProgram("apt-get", install, { name: `apt-get install ${name}`, ...options });
}
