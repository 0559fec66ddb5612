import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import { freePort } from "@/scripts/service/free-port";
import { ROOT } from "@/scripts/service/root";
import { childrenOf } from "@/tests/benchmarks/process-memory";

const POLL_MS = 5;
const TIMEOUT_MS = 300_000;

/** The smallest server that Node can be. */
const EMPTY_SERVER = `require("http").createServer((_, answer) => answer.end("ok")).listen(+process.env.PORT)`;

interface Started extends AsyncDisposable {
  baseUrl: string;
  /** From the call until the first answer. */
  seconds: number;
}

interface StartedService extends Started {
  pids: { supervisor: number; web: number; worker: number };
}

/** An empty data folder that the database's user can enter, for the time of `work`. */
export async function withDataFolder<T>(work: (dataDir: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "crm-benchmark-"));
  await chmod(folder, 0o755);
  try {
    return await work(join(folder, "data"));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** `npm start` on a data folder, as a person runs it. */
export async function npmStart(dataDir: string): Promise<StartedService> {
  const settings = {
    DATA_DIR: dataDir,
    DATABASE_URL: "",
    APP_URL: "",
    RATE_LIMIT_PER_MINUTE: String(1e9),
    ALLOW_PRIVATE_NETWORK: "true",
  };
  const npm = await start("npm", ["start"], settings, "/api/health/live");
  const supervisor = Number((await readFile(join(dataDir, "service.pid"), "utf8")).split("\n")[0]);
  const [web, worker] = await Promise.all([childOf(supervisor, "dist/web.js"), childOf(supervisor, "dist/worker.js")]);
  return {
    ...npm,
    pids: { supervisor, web, worker },
    // npm does not forward a signal.
    [Symbol.asyncDispose]: () => end(npm.child, supervisor),
  };
}

/** A Node process with a server and nothing else. */
export async function startEmptyServer(): Promise<Started & { pid: number }> {
  const node = await start(process.execPath, ["--eval", EMPTY_SERVER], {}, "/");
  const pid = node.child.pid ?? 0;
  return { ...node, pid, [Symbol.asyncDispose]: () => end(node.child, pid) };
}

async function start(command: string, args: readonly string[], settings: Record<string, string>, path: string) {
  const port = String(await freePort());
  const started = performance.now();
  const child = spawn(command, args, {
    cwd: ROOT,
    env: { ...process.env, ...settings, PORT: port },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const baseUrl = `http://localhost:${port}`;
  while (!(await answers(`${baseUrl}${path}`))) {
    if (child.exitCode !== null) throw new Error(`${command} ended before its first answer.`);
    if (performance.now() - started > TIMEOUT_MS) throw new Error(`${command} did not answer.`);
    await delay(POLL_MS);
  }
  return { child, baseUrl, seconds: (performance.now() - started) / 1000 };
}

async function answers(url: string): Promise<boolean> {
  return (await fetch(url).catch(() => undefined))?.ok ?? false;
}

/** Waits for it: workers are started after the first answer. */
async function childOf(parent: number, file: string): Promise<number> {
  for (const until = performance.now() + TIMEOUT_MS; performance.now() < until; await delay(POLL_MS))
    for (const pid of await childrenOf(parent))
      if ((await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")).includes(file)) return pid;
  throw new Error(`The service has no process of ${file}.`);
}

async function end(child: ChildProcess, pid: number): Promise<void> {
  const exited = child.exitCode === null && child.signalCode === null ? once(child, "exit") : Promise.resolve();
  process.kill(pid, "SIGTERM");
  await exited;
}
