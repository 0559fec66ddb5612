// Every command starts with this script. It has no dependencies and runs on the machine's own Node (20.20 or newer). It
// installs missing packages, generates the Prisma client, compiles the programs of the service into `dist`, and runs
// the command with the pinned Node 24 in node_modules: a compiled program, or a script of the developers' from its
// source.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { missingInstall, nodeOf } from "./install.mjs";

const [script, ...args] = process.argv.slice(2);
/** A script of the developers runs from its source. */
const isSource = script !== undefined && !script.startsWith("dist/");

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const node = nodeOf(root);
const parent = process.ppid;
const generatedClient = join(root, "lib", "generated", "prisma", "client.ts");

/** Runs a command; if it fails, prints that and exits. Its output goes to stderr, since stdout is the command's. */
function run(what, command, args, env = process.env) {
  console.error(`${what} …`);
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    env,
    stdio: ["ignore", process.stderr, process.stderr],
  });
  if (status === 0) return;
  console.error(`${what} failed${error ? `: ${error.message}` : ""}. The messages above say why.`);
  process.exit(status ?? 1);
}

const installOptions = missingInstall(root, isSource || script === undefined);
if (installOptions) {
  // Not `npm ci`, which refuses a lock file without the packages of a platform that the registry did not have when the
  // file was written.
  run("Installing dependencies (about a minute, once)", "npm", [
    "install",
    "--no-save",
    "--no-audit",
    "--no-fund",
    "--loglevel=error",
    ...installOptions,
  ]);
}

function isGenerated() {
  const schemaCopy = join(root, "lib", "generated", "schema.prisma");
  return (
    existsSync(generatedClient) &&
    existsSync(schemaCopy) &&
    readFileSync(schemaCopy).equals(readFileSync(join(root, "prisma", "schema.prisma")))
  );
}
if (!isGenerated()) run("Generating the Prisma client", node, [join(root, "scripts", "generate-client.mjs")]);

const { compileIfNeeded } = await import("./compile.mjs");
await compileIfNeeded(root);

if (script) {
  const loader = isSource ? ["--import", "tsx"] : [];
  const child = spawn(node, [...loader, join(root, script), ...args], {
    cwd: root,
    stdio: "inherit",
    env: {
      // Node keeps there what it has compiled: processes start a tenth sooner.
      NODE_COMPILE_CACHE: join(root, "node_modules", ".cache", "node"),
      // The C library gives memory back once 128 kB at the end of its heap are free: web and worker keep 20 to 25 MB
      // less each. Blocks below 4 MB still come from that heap, faster than by a mapping for each (mallopt(3)).
      MALLOC_TRIM_THRESHOLD_: "131072",
      MALLOC_MMAP_THRESHOLD_: "4194304",
      ...process.env,
      PATH: `${dirname(node)}:${process.env.PATH ?? ""}`,
    },
  });
  // The command handles the signal, and its exit code becomes that of this process. Ctrl-C in a terminal reaches it
  // twice, which does no harm.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  // A signal to npm ends npm's shell, which does not forward it. So when the shell has ended, stop the command.
  const orphaned = setInterval(() => process.ppid === parent || child.kill("SIGTERM"), 500);
  if (!process.env.npm_lifecycle_event) clearInterval(orphaned);
  child.on("exit", (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 1)));
}
