import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";

import { expect, test } from "vitest";

import { pool } from "@/lib/database/db";
import { requireSetting } from "@/lib/env";
import { GET as ready } from "@/app/api/health/ready/route";
import { supervise } from "@/scripts/service/supervise";
import { watchProcess } from "@/scripts/service/watch-process";

/** A stand-in for a process that says these reasons, or nothing, and which records its restarts. */
function standIn(reasons: (checks: number) => string[] | undefined) {
  let checks = 0;
  const restarts: string[] = [];
  const readiness = async () => {
    checks += 1;
    const given = reasons(checks);
    return given && { reasons: given };
  };
  const process = { pid: () => 4711, readiness, restart: (why: string) => void restarts.push(why) };
  return { process, restarts, checks: () => checks };
}

test("a process that is live but has lost its database is restarted after eight checks", async () => {
  const lost = standIn(() => ["database"]);
  const watch = watchProcess({ process: lost.process, databaseUrl: requireSetting("DATABASE_URL"), intervalMs: 5 });
  await expect.poll(() => lost.restarts[0]).toMatch(/database/);
  expect(lost.checks()).toBeGreaterThanOrEqual(8);
  await watch.stop();
});

test("a process is not restarted because PostgreSQL is down, or because of single failed checks", async () => {
  const withoutDatabase = standIn(() => undefined);
  const flaky = standIn((checks) => (checks % 2 === 0 ? [] : undefined));
  const watches = [
    watchProcess({
      process: withoutDatabase.process,
      databaseUrl: "postgresql://nobody@127.0.0.1:1/none",
      intervalMs: 1,
    }),
    watchProcess({ process: flaky.process, databaseUrl: requireSetting("DATABASE_URL"), intervalMs: 1 }),
  ];
  await expect.poll(() => Math.min(withoutDatabase.checks(), flaky.checks())).toBeGreaterThan(40);
  expect([...withoutDatabase.restarts, ...flaky.restarts]).toEqual([]);
  for (const watch of watches) await watch.stop();
});

test("a process is not restarted because migrations are missing, nor because it is stopping", async () => {
  const behind = standIn(() => ["migrations"]);
  const stopping = standIn(() => ["stopping"]);
  const lost = standIn(() => ["stopping", "database"]);
  const databaseUrl = requireSetting("DATABASE_URL");
  const watches = [behind, stopping, lost].map(({ process }) => watchProcess({ process, databaseUrl, intervalMs: 1 }));
  await expect.poll(() => Math.min(behind.checks(), stopping.checks(), 20 * lost.restarts.length)).toBeGreaterThan(16);
  expect([...behind.restarts, ...stopping.restarts]).toEqual([]);
  for (const watch of watches) await watch.stop();
});

test("a process that hangs is killed and started again, and does not have to hear a signal for that", async () => {
  const lines: string[] = [];
  const answering = `process.on("SIGTERM", () => undefined);
    process.on("message", ({ readinessOf }) => process.send({ readinessOf, readiness: { reasons: [] } }));`;
  const args = ["-e", answering];
  const hung = supervise({
    name: "worker",
    args,
    cwd: process.cwd(),
    env: process.env,
    print: (line) => lines.push(line),
  });
  expect(await hung.readiness(AbortSignal.timeout(60_000))).toEqual({ reasons: [] });
  const pid = hung.pid() ?? 0;
  process.kill(pid, "SIGSTOP");
  // A service waits longer, also for the next process.
  const impatient = { ...hung, readiness: () => hung.readiness(AbortSignal.timeout(50)) };
  const watch = watchProcess({ process: impatient, databaseUrl: requireSetting("DATABASE_URL"), intervalMs: 1 });
  await expect.poll(() => lines.length, { timeout: 60_000 }).toBeGreaterThanOrEqual(2);
  await watch.stop();
  expect(lines[0]).toBe("The worker process has not answered for 40 s; ending it.");
  expect(lines[1]).toContain("SIGKILL");
  await expect.poll(() => hung.pid() ?? pid, { timeout: 60_000 }).not.toBe(pid);
  await hung.stop();
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
