// Runs `prisma generate` without downloading its schema engine: it only checks that the setting names an existing file.
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const cli = createRequire(import.meta.url).resolve("prisma/build/index.js");
const { status } = spawnSync(process.execPath, [cli, "generate"], {
  cwd: root,
  stdio: ["ignore", process.stderr, process.stderr],
  env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: cli, PRISMA_HIDE_UPDATE_MESSAGE: "1", CHECKPOINT_DISABLE: "1" },
});
if (status !== 0) process.exit(status ?? 1);
mkdirSync(join(root, "lib", "generated"), { recursive: true });
copyFileSync(join(root, "prisma", "schema.prisma"), join(root, "lib", "generated", "schema.prisma"));
