import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";

import { beforeEach, expect, onTestFinished, test } from "vitest";

import { REFUSAL_EXIT_CODE } from "@/scripts/service/fault";
import { prepareInProcess } from "@/scripts/service/prepare-in-process";
import { ROOT } from "@/scripts/service/root";
import { pool } from "@/tests/support/owner";

const SECRET = "a-secret-that-is-long-enough-for-a-service";

function prepare(settings: Partial<NodeJS.ProcessEnv>) {
  const databases = { DATABASE_URL: process.env.DATABASE_OWNER_URL, DATABASE_RUNTIME_URL: process.env.DATABASE_URL };
  return run("prepare-database", { ...databases, ...settings });
}

/** A program as operators run it. */
async function run(program: string, settings: Partial<NodeJS.ProcessEnv>) {
  const child = spawn(process.execPath, [join(ROOT, `dist/${program}.js`)], {
    cwd: ROOT,
    env: { ...process.env, APP_SECRET_PREVIOUS: "", ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { out, err, code: code as number };
}

async function recorded(): Promise<string | null> {
  const { rows } = await pool().query<{ comment: string | null }>(
    "SELECT obj_description('connections'::regclass, 'pg_class') AS comment",
  );
  return rows[0]?.comment ?? null;
}

beforeEach(() => pool().query("COMMENT ON TABLE connections IS NULL"));

test("a secret that web and worker would refuse does not claim the database: a proper one works then", async () => {
  for (const refused of [{ APP_SECRET: "changeme" }, { APP_SECRET: SECRET, APP_SECRET_PREVIOUS: "changeme" }]) {
    const ended = await prepare(refused);
    expect(ended).toMatchObject({ code: 1, err: expect.stringContaining("must have at least 32 characters") });
    expect(await recorded()).toBeNull();
  }
  expect(await prepare({ APP_SECRET: SECRET })).toMatchObject({ code: 0, err: "" });
  expect(await recorded()).toMatch(/^used with APP_SECRET/);
});

test("a setting that web and worker would refuse is reported before the database is changed", async () => {
  const ended = await prepare({ APP_SECRET: SECRET, LOG_LEVEL: "loud", DATABASE_RUNTIME_URL: "" });
  expect(ended).toMatchObject({ code: 1, out: "", err: expect.stringContaining("LOG_LEVEL: must be fatal,") });
  expect(await recorded()).toBeNull();
});

test("what the database says is reported with what to check, and without the password", async () => {
  const away = "postgresql://crm:secret-word@127.0.0.1:1/crm";
  const ended = await prepare({ APP_SECRET: SECRET, DATABASE_URL: away });
  expect(ended.code).toBe(1);
  expect(ended.err).toMatch(
    /^The database could not be prepared: .*ECONNREFUSED.*\n.*that of DATABASE_URL, check that/,
  );
  expect(ended.err).not.toContain("secret-word");
  const wrong = Object.assign(new URL(process.env.DATABASE_OWNER_URL ?? ""), { password: "wrong-word" }).href;
  const refused = await prepare({ APP_SECRET: SECRET, DATABASE_URL: wrong });
  expect(refused.err).toMatch(/password authentication failed.*\n.*check the user and the password in it\.\n$/);
});

test("the user of web and worker is refused, before it changes anything", async () => {
  const { username } = new URL(process.env.DATABASE_URL ?? "");
  const ended = await prepare({ APP_SECRET: SECRET, DATABASE_URL: process.env.DATABASE_URL, DATABASE_RUNTIME_URL: "" });
  expect(ended).toMatchObject({
    code: 1,
    err: expect.stringMatching(`^The user of DATABASE_URL, ${username}, does not own the tables.`),
  });
  expect(await recorded()).toBeNull();
});

test("without a secret, the program says so, and makes none up that web and worker would not read", async () => {
  const folder = await mkdtemp(join(tmpdir(), "crm-prepare-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const ended = await prepare({ APP_SECRET: "", DATA_DIR: folder });
  expect(ended).toMatchObject({ code: 1, out: "", err: expect.stringContaining("APP_SECRET is not set.") });
  expect(await readdir(folder)).toEqual([]);
});

test("an address with which web and worker cannot connect is refused, without the password", async () => {
  const wrong = Object.assign(new URL(process.env.DATABASE_URL ?? ""), { password: "wrong-secret" }).href;
  const ended = await prepare({ APP_SECRET: SECRET, DATABASE_RUNTIME_URL: wrong });
  expect(ended).toMatchObject({ code: 1, out: "" });
  expect(ended.err).toMatch(/^PostgreSQL refuses the user of DATABASE_RUNTIME_URL\. Check its password/);
  expect(ended.err).not.toContain("wrong-secret");
  const nowhere = Object.assign(new URL(wrong), { port: "1" }).href;
  expect((await prepare({ APP_SECRET: SECRET, DATABASE_RUNTIME_URL: nowhere })).err).toMatch(
    /^DATABASE_RUNTIME_URL leads to no connection: connect E.* Check host, port, database and password\.\n$/,
  );
  const elsewhere = Object.assign(new URL(process.env.DATABASE_URL ?? ""), { pathname: "/postgres" }).href;
  expect((await prepare({ APP_SECRET: SECRET, DATABASE_RUNTIME_URL: elsewhere })).err).toMatch(
    /^DATABASE_RUNTIME_URL leads to the database postgres, and DATABASE_URL to /,
  );
  const nobody = Object.assign(new URL(wrong), { username: "", password: "" }).href;
  expect((await prepare({ APP_SECRET: SECRET, DATABASE_RUNTIME_URL: nobody })).err).toMatch(/ names no user\. Set/);
});

test("a malformed address is refused by the worker as by the preparation, without the password", async () => {
  const malformed = "postgresql://crm:secret-w%rd@127.0.0.1/crm";
  expect((await prepare({ APP_SECRET: SECRET, DATABASE_RUNTIME_URL: malformed })).err).toMatch(
    /^DATABASE_RUNTIME_URL is not the address of a PostgreSQL database\. Write it as/,
  );
  const worker = await run("worker", { APP_SECRET: SECRET, DATABASE_URL: malformed });
  expect(worker).toMatchObject({
    code: REFUSAL_EXIT_CODE,
    err: expect.stringContaining("DATABASE_URL: is not the address"),
  });
  expect(worker.out + worker.err).not.toContain("secret-w");
});

test("an error of a file is not blamed on the database", async () => {
  const folder = await mkdtemp(join(tmpdir(), "crm-prepare-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, "file"), "");
  const settings = {
    APP_SECRET: "",
    DATA_DIR: join(folder, "file"),
    DATABASE_URL: process.env.DATABASE_OWNER_URL ?? "",
  };
  const preparing = prepareInProcess(settings, { stopSignal: undefined, forgetsSecrets: false });
  await expect(preparing).rejects.toThrow(/^ENOTDIR/);
});
