// Installs the packages of the lock file. Like bootstrap.mjs, it runs on the machine's own Node, before there is any
// package.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The pinned Node, which every command runs with.
 * @param {string} root
 */
export const nodeOf = (root) =>
  join(root, "node_modules", "node", "bin", process.platform === "win32" ? "node.exe" : "node");

/**
 * The options of `npm install` that bring the packages which a command lacks, or undefined if it lacks none. The
 * service runs without the packages of the developers, which are a third of all files. Where those are installed, they
 * stay.
 *
 * npm stores a copy of the lock file after it has installed. An interrupted install leaves none, or an older one. The
 * copy alone is no proof: where node_modules was copied by links, another install may have written it.
 * @param {string} root
 * @param {boolean} forDevelopers
 */
export function missingInstall(root, forDevelopers) {
  const wanted = packagesOf(join(root, "package-lock.json"));
  const present = packagesOf(join(root, "node_modules", ".package-lock.json"));
  const isComplete = Object.entries(wanted).every(
    ([path, entry]) =>
      path === "" ||
      entry.optional ||
      entry.peer ||
      (!forDevelopers && (entry.dev || entry.devOptional)) ||
      (present[path]?.version === entry.version && existsSync(join(root, path))),
  );
  if (isComplete && existsSync(nodeOf(root))) return undefined;
  const hasThoseOfDevelopers = Object.values(present).some((entry) => entry.dev);
  // With NODE_ENV=production npm omits them by default.
  return [forDevelopers || hasThoseOfDevelopers ? "--include=dev" : "--omit=dev"];
}

/**
 * @param {string} lockFile
 * @returns {Record<string, { version: string; dev?: true; devOptional?: true; optional?: true; peer?: true }>}
 */
function packagesOf(lockFile) {
  return existsSync(lockFile) ? JSON.parse(readFileSync(lockFile, "utf8")).packages : {};
}
