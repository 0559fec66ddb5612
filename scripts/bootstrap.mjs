// The first thing that every command runs. It needs no dependency and runs on the machine's own Node (20 or newer): it
// installs what is missing, generates the Prisma client, and hands over to the pinned Node 24 in node_modules.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const node = join(root, "node_modules", "node", "bin", process.platform === "win32" ? "node.exe" : "node");
const parent = process.ppid;
const generatedClient = join(root, "lib", "generated", "prisma", "client.ts");

/**
 * npm keeps a copy of the lock file of what it installed; an install that was cut short leaves none, or an older one.
 */
function isInstalled() {
  const installed = join(root, "node_modules", ".package-lock.json");
  if (!existsSync(installed) || !existsSync(node)) return false;
  const wanted = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")).packages;
  const present = JSON.parse(readFileSync(installed, "utf8")).packages;
  return Object.entries(wanted).every(
    ([path, entry]) => path === "" || entry.optional || entry.peer || present[path]?.version === entry.version,
  );
}

/**
 * Runs a command to its end; on failure says what failed and ends this process. What it prints goes to stderr: stdout
 * is the command's.
 */
function run(what, command, args, env = process.env) {
  console.error(`${what} …`);
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    env,
    stdio: ["ignore", process.stderr, process.stderr],
  });
  if (status === 0) return;
  console.error(`${what} failed${error ? `: ${error.message}` : ""}. The lines above say why.`);
  process.exit(status ?? 1);
}

if (!isInstalled()) {
  // Not `npm ci`: it refuses a lock file that lacks the packages of a platform which the registry did not have when the
  // file was written.
  run("Installing dependencies (about a minute, once)", "npm", [
    "install",
    "--no-save",
    "--no-audit",
    "--no-fund",
    "--loglevel=error",
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

const [script, ...args] = process.argv.slice(2);
if (script) {
  const child = spawn(node, ["--import", "tsx", join(root, script), ...args], {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, PATH: `${dirname(node)}:${process.env.PATH ?? ""}` },
  });
  // The command decides what a signal means to it, and how this process ends. Ctrl-C in a terminal reaches it twice,
  // which does no harm.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  // A signal to npm ends the shell that npm has started, which passes it to nobody: its death is the signal then.
  const orphaned = setInterval(() => process.ppid === parent || child.kill("SIGTERM"), 500);
  if (!process.env.npm_lifecycle_event) clearInterval(orphaned);
  child.on("exit", (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 1)));
}
