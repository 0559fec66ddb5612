import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { text } from "node:stream/consumers";

import { expect, onTestFinished, test } from "vitest";

import { pool } from "@/lib/database/db";
import { requireSetting } from "@/lib/env";
import { GET as ready } from "@/app/api/health/ready/route";
import { supervise } from "@/scripts/service/supervisor/supervise";
import { watchProcess } from "@/scripts/service/supervisor/watch-process";
import { listen } from "@/tests/support/hosts";

/** A stand-in for a process that says these reasons, or nothing, and which records its restarts. */
function standIn(reasons: (checks: number) => string[] | undefined, pid: () => number | undefined = () => 4711) {
  let checks = 0;
  const restarts: { why: string; at: number; checks: number }[] = [];
  const readiness = async () => {
    checks += 1;
    const given = reasons(checks);
    return given && { reasons: given };
  };
  const restart = (why: string) => void restarts.push({ why, at: performance.now(), checks });
  return { process: { pid, readiness, restart }, restarts, checks: () => checks };
}

const databaseUrl = requireSetting("DATABASE_URL");
const intervalMs = 1;
/** Every symptom that two checks in a row show lasts too long. */
const AT_ONCE = { running: 0, starting: 0 };

test("a process that is live but has lost its database is restarted after a while", async () => {
  const lost = standIn(() => ["database"]);
  const started = performance.now();
  const limits = { running: 300, starting: 120_000 };
  const watch = watchProcess({ process: lost.process, databaseUrl, intervalMs, limits });
  await expect.poll(() => lost.restarts[0]?.why).toMatch(/database/);
  expect((lost.restarts[0]?.at ?? 0) - started).toBeGreaterThanOrEqual(limits.running);
  await watch.stop();
});

test("a process that has not answered yet may start for longer than a running one may be silent", async () => {
  const slow = standIn(() => undefined);
  const hung = standIn((checks) => (checks === 1 ? [] : undefined));
  const started = performance.now();
  const limits = { running: 20, starting: 2_000 };
  const watches = [slow, hung].map(({ process }) => watchProcess({ process, databaseUrl, intervalMs, limits }));
  await expect
    .poll(() => [hung.restarts[0]?.why, slow.restarts[0]?.why])
    .toEqual(["has not answered for 0.02 s", "has not answered for 2 s since its start"]);
  expect((slow.restarts[0]?.at ?? 0) - started).toBeGreaterThanOrEqual(limits.starting);
  for (const watch of watches) await watch.stop();
});

test("a process is not restarted because PostgreSQL is down, or because of single failed checks", async () => {
  const withoutDatabase = standIn(() => undefined);
  const flaky = standIn((checks) => (checks % 2 === 0 ? [] : undefined));
  const changing = standIn((checks) => (checks % 2 === 0 ? ["database"] : undefined));
  const away = "postgresql://nobody@127.0.0.1:1/none";
  const watches = [
    watchProcess({ process: withoutDatabase.process, databaseUrl: away, intervalMs, limits: AT_ONCE }),
    watchProcess({ process: flaky.process, databaseUrl, intervalMs, limits: AT_ONCE }),
    watchProcess({ process: changing.process, databaseUrl, intervalMs, limits: AT_ONCE }),
  ];
  const all = [withoutDatabase, flaky, changing];
  await expect.poll(() => Math.min(...all.map(({ checks }) => checks()))).toBeGreaterThan(40);
  expect(all.flatMap(({ restarts }) => restarts)).toEqual([]);
  for (const watch of watches) await watch.stop();
});

test("while there is no process, nothing is missed", async () => {
  let looks = 0;
  const absent = standIn(
    () => undefined,
    () => void (looks += 1),
  );
  const watch = watchProcess({ process: absent.process, databaseUrl, intervalMs, limits: AT_ONCE });
  await expect.poll(() => looks).toBeGreaterThan(40);
  await watch.stop();
  expect([absent.checks(), absent.restarts]).toEqual([0, []]);
});

test("a process that was started while PostgreSQL was asked about the one before is left alone", async () => {
  const { hostname, port } = new URL(databaseUrl);
  let pid = 4711;
  const detour = createServer((socket) => {
    pid = 4712;
    const server = connect(Number(port), hostname);
    for (const each of [socket, server]) each.on("error", () => undefined);
    socket.pipe(server).pipe(socket);
  });
  const { host } = new URL(await listen(detour));
  const url = new URL(databaseUrl);
  // The query may name a Unix socket.
  Object.assign(url, { host, search: "" });
  const silent = standIn(
    () => undefined,
    () => pid,
  );
  const limits = { running: 0, starting: 1 };
  const watch = watchProcess({ process: silent.process, databaseUrl: url.href, intervalMs, limits });
  // The first two checks were those of the one before.
  await expect.poll(() => silent.restarts[0]?.checks).toBeGreaterThanOrEqual(4);
  await watch.stop();
  detour.close();
});

test("a process is not restarted because migrations are missing, nor because it is stopping", async () => {
  const behind = standIn(() => ["migrations"]);
  const stopping = standIn(() => ["stopping"]);
  const lost = standIn(() => ["stopping", "database"]);
  const watches = [behind, stopping, lost].map(({ process }) =>
    watchProcess({ process, databaseUrl, intervalMs, limits: AT_ONCE }),
  );
  await expect.poll(() => Math.min(behind.checks(), stopping.checks(), 20 * lost.restarts.length)).toBeGreaterThan(16);
  expect([...behind.restarts, ...stopping.restarts]).toEqual([]);
  for (const watch of watches) await watch.stop();
});

test("a process that hangs is killed at once, without having to hear a signal, and started again", async () => {
  const lines: string[] = [];
  const answering = `process.on("message", ({ readinessOf }) =>
    process.send({ readinessOf, readiness: { reasons: [] } }));`;
  // One that is told to stop has this long for it, far longer than this test waits.
  const env = { ...process.env, STOP_DELAY_SECONDS: "600" };
  const print = (line: string) => lines.push(line);
  const hung = supervise({ name: "worker", args: ["-e", answering], cwd: process.cwd(), env, print });
  onTestFinished(() => {
    const stopped = hung.stop();
    const last = hung.pid();
    if (last !== undefined) process.kill(last, "SIGKILL");
    return stopped;
  });
  const answers: unknown[] = [];
  // A service waits longer.
  const impatient = {
    ...hung,
    readiness: async () => {
      const answer = await hung.readiness(AbortSignal.timeout(1_000));
      if (answer) answers.push(answer);
      return answer;
    },
  };
  const limits = { running: 3_000, starting: 120_000 };
  const watch = watchProcess({ process: impatient, databaseUrl, intervalMs: 50, limits });
  await expect.poll(() => answers[0], { timeout: 60_000 }).toEqual({ reasons: [] });
  const pid = hung.pid() ?? 0;
  process.kill(pid, "SIGSTOP");
  await expect.poll(() => lines.length, { timeout: 60_000 }).toBeGreaterThanOrEqual(2);
  expect(lines[0]).toBe("The worker process has not answered for 3 s; ending it.");
  expect(lines[1]).toContain("SIGKILL");
  await expect.poll(() => hung.pid() ?? pid, { timeout: 60_000 }).not.toBe(pid);
  await watch.stop();
}, 180_000);

test("readiness uses the pool of requests: 503 in time without a free connection, 200 with one", async () => {
  expect((await ready()).status).toBe(200);
  const clients = await Promise.all(Array.from({ length: 20 }, () => pool().connect()));
  const answers = await Promise.all(Array.from({ length: 50 }, ready));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
  expect(pool().waitingCount).toBe(1);
  for (const client of clients) client.release();
  expect((await ready()).status).toBe(200);
}, 60_000);

test.each(["exception", "rejection"])(
  "a process ends on an unhandled %s, and logs it without PostgreSQL's details of rows",
  async (kind) => {
    const args = ["--import", "tsx", "tests/scripts/fixtures/defect.ts", kind];
    const child = spawn(process.execPath, args, {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, LOG_LEVEL: "info" },
    });
    const [log, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
    expect(code).toBe(1);
    expect(log).toContain("the process ends because of a defect");
    expect(log).toContain("a value is too long");
    expect(log + errors).not.toContain("ada@example.com");
  },
);
