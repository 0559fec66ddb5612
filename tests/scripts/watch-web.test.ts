import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";

import { expect, test } from "vitest";

import { pool } from "@/lib/database/db";
import { requireSetting } from "@/lib/env";
import { GET as ready } from "@/app/api/health/ready/route";
import { watchWeb } from "@/scripts/service/watch-web";

/** A stand-in for a web process that says these reasons, or nothing, and which records its restarts. */
function webProcess(reasons: (checks: number) => string[] | undefined) {
  let checks = 0;
  const restarts: string[] = [];
  const readiness = async () => {
    checks += 1;
    const given = reasons(checks);
    return given && { reasons: given };
  };
  const web = { pid: () => 4711, readiness, restart: (why: string) => void restarts.push(why) };
  return { web, restarts, checks: () => checks };
}

test("a web process that is live but has lost its database is restarted after eight checks", async () => {
  const process = webProcess(() => ["database"]);
  const watch = watchWeb({ ...process, databaseUrl: requireSetting("DATABASE_URL"), intervalMs: 5 });
  await expect.poll(process.restarts.at.bind(process.restarts, 0)).toMatch(/database/);
  expect(process.checks()).toBeGreaterThanOrEqual(8);
  await watch.stop();
});

test("a web process is not restarted because PostgreSQL is down, or because of single failed checks", async () => {
  const withoutDatabase = webProcess(() => undefined);
  const flaky = webProcess((checks) => (checks % 8 === 0 ? [] : undefined));
  const watches = [
    watchWeb({ ...withoutDatabase, databaseUrl: "postgresql://nobody@127.0.0.1:1/none", intervalMs: 1 }),
    watchWeb({ ...flaky, databaseUrl: requireSetting("DATABASE_URL"), intervalMs: 1 }),
  ];
  await expect.poll(() => Math.min(withoutDatabase.checks(), flaky.checks())).toBeGreaterThan(40);
  expect([...withoutDatabase.restarts, ...flaky.restarts]).toEqual([]);
  for (const watch of watches) await watch.stop();
});

test("a web process is not restarted because migrations are missing, nor because it is stopping", async () => {
  const behind = webProcess(() => ["migrations"]);
  const stopping = webProcess(() => ["stopping"]);
  const lost = webProcess(() => ["stopping", "database"]);
  const databaseUrl = requireSetting("DATABASE_URL");
  const watches = [behind, stopping, lost].map((process) => watchWeb({ ...process, databaseUrl, intervalMs: 1 }));
  await expect.poll(() => Math.min(behind.checks(), stopping.checks(), 20 * lost.restarts.length)).toBeGreaterThan(16);
  expect([...behind.restarts, ...stopping.restarts]).toEqual([]);
  for (const watch of watches) await watch.stop();
});

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
