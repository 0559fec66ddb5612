import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import {
  appendFile,
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  watch,
  writeFile,
} from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { Client } from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";

import { attachCluster, type Cluster, startCluster } from "@/scripts/postgres/cluster";
import { findServer } from "@/scripts/postgres/lock-file";
import { Stopped } from "@/scripts/service/fault";
import { assertPortFree } from "@/scripts/service/free-port";
import { isExhaustive } from "@/tests/support/exhaustive";

/** A new data folder and its password. Most tests start with a copy of it, because initdb takes seconds. */
let template: string;
let folder: string;
let data: string;
const started: Cluster[] = [];

async function makeFolder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "crm-cluster-"));
  await chmod(path, 0o755);
  return path;
}

beforeAll(async () => {
  template = await makeFolder();
  await (await startCluster(join(template, "postgres"), { flags: ["fsync=off"] })).stop();
});
afterAll(() => rm(template, { recursive: true, force: true }));

beforeEach(async () => {
  folder = await makeFolder();
  data = join(folder, "postgres");
});
afterEach(async () => {
  for (const cluster of started.splice(0)) await cluster.stop().catch(() => undefined);
  await rm(folder, { recursive: true, force: true });
});

async function start(print?: (line: string) => void): Promise<Cluster> {
  if (!existsSync(data)) {
    await mkdir(dirname(data), { recursive: true });
    for (const name of ["postgres", "postgres.password"])
      execFileSync("cp", ["-a", join(template, name), dirname(data)]);
  }
  return startAnew(print);
}

/** Like {@link start}, but creates a missing data folder with initdb. */
async function startAnew(print?: (line: string) => void): Promise<Cluster> {
  const cluster = await startCluster(data, { flags: ["fsync=off"], ...(print && { print }) });
  started.push(cluster);
  return cluster;
}

async function query<T>(cluster: Cluster, sql: string): Promise<T[]> {
  const client = new Client({ connectionString: cluster.url("postgres") });
  client.on("error", () => undefined);
  await client.connect();
  const { rows } = await client.query(sql);
  await client.end();
  return rows as T[];
}

/** The state of a stopped cluster in pg_control. */
function controlState(): string {
  const pgControl = execFileSync("od", ["-An", "-tu4", "-j16", "-N4", join(data, "global/pg_control")]).toString();
  return pgControl.trim();
}

const SHUT_DOWN = "1";

/** When a start is aborted. It takes some 200 ms. */
const MOMENTS_MS = isExhaustive ? [0, 20, 60, 120, 200] : [0, 60, 200];

test("a stopped server leaves a clean cluster with its data, and no lock file", async () => {
  const cluster = await start();
  await query(cluster, "CREATE TABLE kept (value int)");
  await cluster.stop();
  expect(existsSync(join(data, "postmaster.pid"))).toBe(false);
  expect(controlState()).toBe(SHUT_DOWN);
  expect(await query(await start(), "SELECT count(*)::int AS count FROM kept")).toEqual([{ count: 0 }]);
});

test("the log of the server, which may hold data, is for its user alone, also where it was there before", async () => {
  await mkdir(dirname(data), { recursive: true });
  await writeFile(`${data}.log`, "", { mode: 0o644 });
  await start();
  expect((await stat(`${data}.log`)).mode & 0o777).toBe(0o600);
});

test("a server that was killed is started again on its port, until it is stopped", async () => {
  await (await start()).stop();
  const printed: string[] = [];
  const print = (line: string) => printed.push(line);
  const cluster = await startCluster(data, { flags: ["fsync=off"], print, keepsRunning: true });
  started.push(cluster);
  process.kill(Number((await readFile(join(data, "postmaster.pid"), "utf8")).split("\n")[0]), "SIGKILL");
  await expect.poll(() => printed.at(-1)).toBe("PostgreSQL runs again.");
  expect(await query(cluster, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  await cluster.stop();
  expect(printed).toHaveLength(2);
  expect(existsSync(join(data, "postmaster.pid"))).toBe(false);
});

test("a server that does not start again is tried again ever more seldom, and the log of its end stays", async () => {
  await (await start()).stop();
  const printed: string[] = [];
  const print = (line: string) => printed.push(line);
  const cluster = await startCluster(data, { flags: ["fsync=off"], print, keepsRunning: true });
  started.push(cluster);
  const pid = Number((await readFile(join(data, "postmaster.pid"), "utf8")).split("\n")[0]);
  await rename(join(data, "PG_VERSION"), join(data, "PG_VERSION.away"));
  process.kill(pid, "SIGKILL");
  await expect.poll(() => printed.filter((line) => line.startsWith("PostgreSQL did not start")).length).toBe(2);
  expect(await readFile(`${data}.log.ended`, "utf8")).toContain("ready to accept connections");
  await rename(join(data, "PG_VERSION.away"), join(data, "PG_VERSION"));
  await expect.poll(() => printed.at(-1)).toBe("PostgreSQL runs again.");
});

test("a lock file that a crash left behind is removed, with a message", async () => {
  const cluster = await start();
  const pid = Number((await readFile(join(data, "postmaster.pid"), "utf8")).split("\n")[0]);
  const connection = new Client({ connectionString: cluster.url("postgres") });
  connection.on("error", () => undefined);
  await connection.connect();
  const disconnected = new Promise((done) => connection.once("end", done));
  process.kill(pid, "SIGKILL");
  await disconnected;
  const printed: string[] = [];
  expect(await query(await start((line) => printed.push(line)), "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  expect(printed.join()).toMatch(/Removed its stale lock file/);
  expect((await readdir(data)).filter((name) => name.startsWith(".s.PGSQL."))).toHaveLength(2);
});

test.each(["sleep", "postgres"])(
  "a lock file whose process id now belongs to another %s is stale too",
  async (name) => {
    await (await start()).stop();
    const other = spawn("sleep", ["60"], { argv0: name });
    try {
      await writeFile(join(data, "postmaster.pid"), `${other.pid ?? 0}\n${data}\n0\n5432\n\n127.0.0.1\n`);
      expect(await query(await start(), "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    } finally {
      other.kill("SIGKILL");
    }
  },
);

test("an empty lock file, as a loss of power leaves it, is stale", async () => {
  await (await start()).stop();
  await writeFile(join(data, "postmaster.pid"), "");
  expect(await query(await start(), "SELECT 1 AS one")).toEqual([{ one: 1 }]);
});

test("connections use the socket, or TCP if the socket's path would be too long", async () => {
  const transport = "SELECT inet_server_addr() IS NULL AS by_socket";
  expect(await query(await start(), transport)).toEqual([{ by_socket: true }]);
  data = join(folder, "x".repeat(100), "postgres");
  expect(await query(await start(), transport)).toEqual([{ by_socket: false }]);
});

test("a running server can be attached to, a stopped one cannot", async () => {
  expect(await attachCluster(data)).toBeUndefined();
  const cluster = await start();
  const attached = await attachCluster(data);
  expect(attached?.url("postgres")).toBe(cluster.url("postgres"));
  expect(attached).not.toHaveProperty("stop");
  await cluster.stop();
  expect(await attachCluster(data)).toBeUndefined();
});

test("a server that a killed command left running is restarted, and stopped by the new command", async () => {
  await start();
  started.length = 0;
  const printed: string[] = [];
  const second = await start((line) => printed.push(line));
  expect(printed.join()).toMatch(/still running from a command that was killed/);
  expect(await query(second, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  await second.stop();
  expect(existsSync(join(data, "postmaster.pid"))).toBe(false);
  expect(controlState()).toBe(SHUT_DOWN);
});

test("a server that recovers is waited for, and not stopped by the next command; before, it began again", async () => {
  await (await start()).stop();
  await writeFile(join(data, "recovery.signal"), "");
  await appendFile(join(data, "postgresql.auto.conf"), "restore_command = 'sleep 3; false'\n");
  const [printed, printedNext]: [string[], string[]] = [[], []];
  const recovering = startAnew((line) => printed.push(line));
  await expect.poll(() => findServer(data)).toMatchObject({ ready: false });
  const next = await startAnew((line) => printedNext.push(line));
  await recovering;
  expect(printed).toEqual([expect.stringContaining("PostgreSQL is still starting. After a crash it recovers first")]);
  expect(printedNext[0]).toMatch(/is not ready\. After a crash it recovers first/);
  expect(await query(next, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
});

test("a start that is aborted at any moment throws the reason and leaves a clean cluster", async () => {
  await (await start()).stop();
  for (const milliseconds of MOMENTS_MS) {
    const stop = new AbortController();
    const outcome = startCluster(data, { stopSignal: stop.signal });
    setTimeout(() => stop.abort(new Stopped("SIGINT")), milliseconds);
    await expect(outcome.then((cluster) => cluster.stop().then(() => stop.signal.throwIfAborted()))).rejects.toThrow(
      Stopped,
    );
    expect(existsSync(join(data, "postmaster.pid"))).toBe(false);
    expect(controlState()).toBe(SHUT_DOWN);
  }
  expect(await query(await start(), "SELECT 1 AS one")).toEqual([{ one: 1 }]);
});

test("an aborted creation of a data folder leaves no incomplete folder", async () => {
  const stop = new AbortController();
  const outcome = startCluster(data, { stopSignal: stop.signal });
  const changes = watch(folder, { signal: AbortSignal.timeout(60_000) })[Symbol.asyncIterator]();
  while (!(await readdir(folder)).some((name) => name.startsWith("postgres.new-"))) await changes.next();
  stop.abort(new Stopped("SIGINT"));
  await expect(outcome).rejects.toThrow(Stopped);
  expect(await readdir(folder)).toEqual(["postgres.password"]);
  expect(await query(await startAnew(), "SELECT 1 AS one")).toEqual([{ one: 1 }]);
});

test("a killed process left an incomplete data folder and an empty password file: both are made again", async () => {
  await writeFile(`${data}.password`, "");
  await mkdir(`${data}.new-1`);
  await writeFile(join(`${data}.new-1`, "PG_VERSION"), "18\n");
  expect(await query(await startAnew(), "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  expect((await readFile(`${data}.password`, "utf8")).trim()).not.toBe("");
  expect((await stat(`${data}.password`)).mode & 0o777).toBe(0o600);
  expect(existsSync(`${data}.new-1`)).toBe(false);
});

test("a data folder of another major version is refused, with a remedy", async () => {
  await (await start()).stop();
  await writeFile(join(data, "PG_VERSION"), "15\n");
  const refusal = /created by PostgreSQL 15\. This release uses PostgreSQL 18.*pg_dump.*DATABASE_URL/s;
  await expect(startCluster(data)).rejects.toThrow(refusal);
  await rm(`${data}.password`);
  await expect(startCluster(data)).rejects.toThrow(refusal);
});

test("a missing password file is refused by name, instead of creating one with a wrong password", async () => {
  await (await start()).stop();
  await rm(`${data}.password`);
  await expect(startCluster(data)).rejects.toThrow(/password file .*postgres\.password.* is missing/);
});

test("a port in use is refused, with a remedy", async () => {
  const server = createServer().listen(0);
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  try {
    await expect(assertPortFree({ port, host: undefined })).rejects.toThrow(
      new RegExp(`Port ${port} is in use.*PORT=${port + 1}`),
    );
  } finally {
    server.close();
  }
});
