import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { afterEach, beforeEach, expect, test } from "vitest";

import { missingInstall, nodeOf } from "@/scripts/install.mjs";

const PACKAGES = {
  "": {},
  "node_modules/next": { version: "16.0.0" },
  "node_modules/vitest": { version: "5.0.0", dev: true },
  "node_modules/tslib": { version: "2.0.0", devOptional: true },
  "node_modules/fsevents": { version: "2.0.0", optional: true },
};

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "crm-install-"));
  await writeFile(join(root, "package-lock.json"), JSON.stringify({ packages: PACKAGES }));
});
afterEach(() => rm(root, { recursive: true, force: true }));

/** What npm leaves behind: the named packages, its copy of the lock file and the pinned Node. */
async function install(names: readonly string[], versions: Record<string, string> = {}): Promise<void> {
  const present = Object.entries(PACKAGES)
    .filter(([path]) => names.includes(path.replace("node_modules/", "")))
    .map(([path, entry]) => [path, { ...entry, version: versions[path] ?? ("version" in entry && entry.version) }]);
  for (const [path] of present) await mkdir(join(root, String(path)), { recursive: true });
  await mkdir(dirname(nodeOf(root)), { recursive: true });
  await writeFile(nodeOf(root), "");
  const copy = join(root, "node_modules", ".package-lock.json");
  await writeFile(copy, JSON.stringify({ packages: Object.fromEntries(present) }));
}

test("a fresh clone installs what running needs, and everything for a developer's command", () => {
  expect(missingInstall(root, false)).toEqual(["--omit=dev"]);
  expect(missingInstall(root, true)).toEqual(["--include=dev"]);
});

test("without the developers' packages the service runs, and a developer's command installs them", async () => {
  await install(["next"]);
  expect(missingInstall(root, false)).toBeUndefined();
  expect(missingInstall(root, true)).toEqual(["--include=dev"]);
});

test("nothing is installed where everything is, but the optional", async () => {
  await install(["next", "vitest", "tslib"]);
  expect(missingInstall(root, false)).toBeUndefined();
  expect(missingInstall(root, true)).toBeUndefined();
});

test("a newer version is installed, and the developers' packages stay", async () => {
  await install(["next", "vitest", "tslib"], { "node_modules/next": "15.0.0" });
  expect(missingInstall(root, false)).toEqual(["--include=dev"]);
});

test("an install that left no Node, or a package that is gone, is repeated", async () => {
  await install(["next"]);
  await rm(nodeOf(root));
  expect(missingInstall(root, false)).toEqual(["--omit=dev"]);
  await install(["next"]);
  await rm(join(root, "node_modules/next"), { recursive: true });
  expect(missingInstall(root, false)).toEqual(["--omit=dev"]);
});
