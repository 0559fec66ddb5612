import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server } from "node:net";
import { text } from "node:stream/consumers";

import { escapeIdentifier } from "pg";
import { afterEach, expect, test, vi } from "vitest";

import { closeDatabase } from "@/lib/database/db";
import { RELEASE_MIGRATIONS } from "@/lib/database/release-migrations";
import { env } from "@/lib/env";
import { log } from "@/lib/log";
import { recordSecrets } from "@/scripts/postgres/app-secret";
import { REFUSAL_EXIT_CODE } from "@/scripts/service/fault";
import { refuseUnsafeDatabase } from "@/scripts/service/processes/refuse-unsafe-database";
import { ROOT } from "@/scripts/service/root";
import { pool as owner } from "@/tests/support/owner";

const OWNER = new URL(process.env.DATABASE_OWNER_URL ?? "");
const ORIGINAL = { DATABASE_URL: env.DATABASE_URL, APP_SECRET: env.APP_SECRET, APP_SECRET_PREVIOUS: [] };

afterEach(async () => {
  Object.assign(env, ORIGINAL);
  vi.restoreAllMocks();
  await owner().query("COMMENT ON TABLE connections IS NULL");
});

test("a worker that is started with the address of the database's owner exits with a message", async () => {
  const settings = { ...process.env, DATABASE_URL: OWNER.href, LOG_LEVEL: "fatal" };
  const worker = spawn(process.execPath, ["dist/worker.js"], {
    cwd: ROOT,
    env: settings,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [output, [code]] = await Promise.all([text(worker.stdout), once(worker, "exit")]);
  expect(code).toBe(REFUSAL_EXIT_CODE);
  expect(output).toContain("The user of DATABASE_URL owns the tables");
});

function spyOnExit() {
  return {
    warn: vi.spyOn(log, "warn").mockReturnValue(undefined),
    fatal: vi.spyOn(log, "fatal").mockReturnValue(undefined),
    exit: vi.spyOn(process, "exit").mockReturnValue(undefined as never),
  };
}

async function listen(server: Server, port = 0): Promise<number> {
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

test("while the database is unreachable the check waits, and the owner is refused once it answers", async () => {
  const { warn, fatal, exit } = spyOnExit();
  const unreachable = createServer((socket) => socket.destroy());
  const port = await listen(unreachable);
  env.DATABASE_URL = Object.assign(new URL(OWNER), { hostname: "127.0.0.1", port: String(port), search: "" }).href;
  let isDone = false;
  const refusing = refuseUnsafeDatabase({ retryMs: 20 }).then(() => (isDone = true));
  await expect.poll(() => warn.mock.calls.length).toBeGreaterThan(1);
  expect(isDone).toBe(false);
  unreachable.close();
  const proxy = createServer((socket) => socket.pipe(connect(Number(OWNER.port), OWNER.hostname)).pipe(socket));
  await listen(proxy, port);
  await refusing;
  expect([fatal.mock.calls.length, exit.mock.calls]).toEqual([1, [[REFUSAL_EXIT_CODE]]]);
  await closeDatabase();
  proxy.close();
});

test("a wrong password, a database without tables and a user without rights are named, and tried again", async () => {
  const { warn, exit } = spyOnExit();
  const url = new URL(ORIGINAL.DATABASE_URL ?? "");
  const advice = async (changed: Partial<URL>) => {
    warn.mockClear();
    env.DATABASE_URL = Object.assign(new URL(url), changed).href;
    const refusing = refuseUnsafeDatabase({ retryMs: 20 });
    await expect.poll(() => warn.mock.calls.length).toBeGreaterThan(1);
    // In this order: a check that is due meanwhile must not open the wrong database once more.
    env.DATABASE_URL = url.href;
    await closeDatabase();
    await refusing;
    await closeDatabase();
    return warn.mock.calls.at(0)?.join(" ");
  };
  expect(await advice({ password: "wrong" })).toMatch(/refuses the connection\. Check the user, the password and the/);
  expect(await advice({ pathname: "/postgres" })).toMatch(
    /is not prepared for its user\. Run `node dist\/prepare-database\.js`/,
  );
  const name = `has_no_rights_${randomBytes(6).toString("hex")}`;
  await owner().query(`CREATE ROLE ${name} LOGIN PASSWORD 'known'`);
  try {
    expect(await advice({ username: name, password: "known" })).toMatch(/is not prepared for its user/);
  } finally {
    await owner().query(`DROP ROLE ${name}`);
  }
  expect(exit).not.toHaveBeenCalled();
});

async function endLastMigration(moment: "NULL" | "now()"): Promise<void> {
  const text = `UPDATE _prisma_migrations SET finished_at = ${moment} WHERE migration_name = $1`;
  await owner().query(text, [RELEASE_MIGRATIONS.at(-1)]);
}

test("a worker waits for the migrations of its release", async () => {
  const { warn, exit } = spyOnExit();
  await endLastMigration("NULL");
  let isDone = false;
  const refusing = refuseUnsafeDatabase({ retryMs: 20, needsMigrations: true }).then(() => (isDone = true));
  await expect.poll(() => warn.mock.calls.length).toBeGreaterThan(1);
  expect(isDone).toBe(false);
  expect(JSON.stringify(warn.mock.calls.at(0))).toContain("it lacks migrations of this release");
  await endLastMigration("now()");
  await refusing;
  expect(exit).not.toHaveBeenCalled();
  await closeDatabase();
});

test("a user who can become the owner by SET ROLE is refused like the owner, the service's user is not", async () => {
  const { fatal, exit } = spyOnExit();
  await refuseUnsafeDatabase();
  expect(exit).not.toHaveBeenCalled();
  await closeDatabase();
  const name = `may_become_owner_${randomBytes(6).toString("hex")}`;
  await owner().query(
    `CREATE ROLE ${name} LOGIN NOINHERIT PASSWORD 'known' IN ROLE ${escapeIdentifier(OWNER.username)}`,
  );
  try {
    env.DATABASE_URL = Object.assign(new URL(OWNER), { username: name, password: "known" }).href;
    await refuseUnsafeDatabase();
  } finally {
    await closeDatabase();
    await owner().query(`DROP ROLE ${name}`);
  }
  expect([fatal.mock.calls.length, exit.mock.calls]).toEqual([1, [[REFUSAL_EXIT_CODE]]]);
});

test("a database that knows none of our secrets is refused, and one that has recorded none is not", async () => {
  const { fatal, exit } = spyOnExit();
  const ours = env.APP_SECRET ?? "";
  await recordSecrets(owner(), { secrets: ["the-secret-of-another-service-0123"], forgetsSecrets: true });
  await refuseUnsafeDatabase();
  expect([fatal.mock.calls, exit.mock.calls]).toEqual([
    [[expect.stringContaining("belongs to a service with another secret")]],
    [[REFUSAL_EXIT_CODE]],
  ]);
  env.APP_SECRET_PREVIOUS = ["the-secret-of-another-service-0123"];
  await refuseUnsafeDatabase();
  await recordSecrets(owner(), { secrets: [ours], forgetsSecrets: true });
  env.APP_SECRET_PREVIOUS = [];
  await refuseUnsafeDatabase();
  await owner().query("COMMENT ON TABLE connections IS NULL");
  await refuseUnsafeDatabase();
  expect(exit).toHaveBeenCalledOnce();
});
