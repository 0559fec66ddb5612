import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";

import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { pool as service } from "@/lib/database/db";
import { env } from "@/lib/env";
import { recordSecrets } from "@/scripts/postgres/app-secret";
import { acquireLock } from "@/scripts/service/lock";
import { ROOT } from "@/scripts/service/root";
import { addAppSecret, dropPreviousSecrets, readAppSecrets } from "@/scripts/service/settings";
import { createMigration } from "@/tests/migration/support/run-migration";
import { openMigrationSource } from "@/tests/migration/support/within";
import { pool, transaction } from "@/tests/support/owner";

// In this process: to start another one takes longer than to prepare the database.
vi.mock("@/scripts/service/prepare-in-process", () => ({
  prepareInProcess: async (
    { DATABASE_URL = "", APP_SECRET = "", APP_SECRET_PREVIOUS = "" }: Record<string, string>,
    { forgetsSecrets }: { forgetsSecrets: boolean },
  ) => {
    const { prepareDatabase } = await import("@/scripts/postgres/prepare-database");
    const { secretsOf } = await import("@/scripts/service/settings");
    const secrets = secretsOf({ APP_SECRET, APP_SECRET_PREVIOUS });
    const runtimeUrl = process.env.DATABASE_RUNTIME_URL;
    return { ...(await prepareDatabase(DATABASE_URL, { runtimeUrl, secrets, forgetsSecrets })), invitation: null };
  },
}));

const ORIGINAL = { APP_SECRET: env.APP_SECRET, APP_SECRET_PREVIOUS: env.APP_SECRET_PREVIOUS };
const OTHER = "another-secret-that-is-long-enough-0123456789";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "crm-rotate-"));
  vi.stubEnv("APP_SECRET", "");
  await pool().query("TRUNCATE connections CASCADE; COMMENT ON TABLE connections IS NULL");
});
afterEach(async () => {
  vi.unstubAllEnvs();
  Object.assign(env, ORIGINAL);
  await rm(folder, { recursive: true, force: true });
});

/** The settings of the service's operator. */
const databases = { DATABASE_URL: process.env.DATABASE_OWNER_URL, DATABASE_RUNTIME_URL: process.env.DATABASE_URL };

/** Runs the program, as a person at the terminal does. */
async function runProgram(settings: Record<string, string> = {}, ...options: string[]) {
  const child = spawn(process.execPath, [join(ROOT, "dist/rotate-secret.js"), ...options], {
    cwd: ROOT,
    env: { ...process.env, ...databases, DATA_DIR: folder, ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { out, err, code: code as number };
}

/** Does what the program does, in this process: that takes a fifth of the time. */
async function rotate(settings: Record<string, string> = {}, option?: string) {
  const before = { ...process.env };
  const [out, err]: [string[], string[]] = [[], []];
  vi.spyOn(console, "log").mockImplementation((line: string) => void out.push(`${line}\n`));
  vi.spyOn(console, "error").mockImplementation((line: string) => void err.push(`${line}\n`));
  Object.assign(process.env, databases, { DATA_DIR: folder }, settings);
  // The program's modules read its settings when they are loaded.
  vi.resetModules();
  let code = 0;
  try {
    await (await import("@/scripts/service/rotate-secret")).rotateSecret(option);
  } catch (error) {
    if ((error as Error).name !== "Fault") throw error;
    err.push(`${(error as Error).message}\n`);
    code = 1;
  } finally {
    vi.restoreAllMocks();
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
    Object.assign(process.env, before);
  }
  return { out: out.join(""), err: err.join(""), code };
}

test("the secret in the data folder is replaced, and the old one decrypts no stored value", async () => {
  const { APP_SECRET: before } = await readAppSecrets(folder);
  Object.assign(env, { APP_SECRET: before });
  const key = await createMigration();
  const ended = await runProgram();
  expect(ended).toMatchObject({
    code: 0,
    out: expect.stringContaining("connections.access_token_enc: 1 re-encrypted\n"),
  });
  expect(ended.out).toContain("the old one is deleted");
  await expect(openMigrationSource(key)).rejects.toMatchObject({
    code: "source_token_refused",
  });
  const { APP_SECRET: after, APP_SECRET_PREVIOUS: previous } = await readAppSecrets(folder);
  expect([after === before, previous]).toEqual([false, ""]);
  expect((await stat(join(folder, "app-secret"))).mode & 0o777).toBe(0o600);
  Object.assign(env, { APP_SECRET: after });
  await openMigrationSource(key);
});

test("after an interrupted rotation the service has both secrets, and the next rotation completes it", async () => {
  const { APP_SECRET: before } = await readAppSecrets(folder);
  Object.assign(env, { APP_SECRET: before });
  const key = await createMigration();
  const between = await addAppSecret(folder);
  expect(between.APP_SECRET_PREVIOUS).toBe(before);
  Object.assign(env, { APP_SECRET: between.APP_SECRET, APP_SECRET_PREVIOUS: [before] });
  await openMigrationSource(key);
  expect(await rotate()).toMatchObject({ code: 0 });
  expect((await readFile(join(folder, "app-secret"), "utf8")).trim().split("\n")).toHaveLength(1);
  Object.assign(env, { APP_SECRET: (await readAppSecrets(folder)).APP_SECRET, APP_SECRET_PREVIOUS: [] });
  await openMigrationSource(key);
});

test("while a value cannot be decrypted the old secret stays, and the value is listed", async () => {
  const { APP_SECRET: before } = await readAppSecrets(folder);
  Object.assign(env, { APP_SECRET: before });
  await createMigration();
  await pool().query(
    "UPDATE connections SET access_token_enc = set_byte(access_token_enc, 19, 255 - get_byte(access_token_enc, 19))",
  );
  const ended = await rotate();
  expect(ended).toMatchObject({
    code: 1,
    out: expect.stringMatching(/connections\.access_token_enc: 0 re-encrypted, 1 cannot be decrypted/),
  });
  expect(ended.err).toContain("the old secret stays");
  expect((await readAppSecrets(folder)).APP_SECRET_PREVIOUS).toBe(before);
  expect(await rotate({}, "--forget")).toMatchObject({ code: 0 });
  expect((await readAppSecrets(folder)).APP_SECRET_PREVIOUS).toBe("");
});

test("a service that runs on the data folder must be stopped first", async () => {
  await readAppSecrets(folder);
  const lock = await acquireLock(folder, "npm start");
  expect(await runProgram()).toMatchObject({
    code: 1,
    err: expect.stringMatching(/npm start \(process \d+\) is running on .*Stop it first/),
  });
  await lock.release();
});

test("with the secrets in settings, the old one is required, and the service may be running", async () => {
  Object.assign(env, { APP_SECRET: OTHER });
  const key = await createMigration();
  const original = ORIGINAL.APP_SECRET ?? "";
  expect(await rotate({ APP_SECRET: original })).toMatchObject({
    code: 1,
    err: expect.stringContaining("Set APP_SECRET to a new secret and APP_SECRET_PREVIOUS"),
  });
  const ended = await rotate({ APP_SECRET: original, APP_SECRET_PREVIOUS: OTHER });
  expect(ended).toMatchObject({ code: 0, out: expect.stringContaining("remove APP_SECRET_PREVIOUS") });
  Object.assign(env, ORIGINAL);
  await openMigrationSource(key);
});

/** The ids of the secrets that the database is used with. */
async function recorded(): Promise<string | null> {
  const { rows } = await pool().query<{ comment: string | null }>(
    "SELECT obj_description('connections'::regclass, 'pg_class') AS comment",
  );
  return rows[0]?.comment ?? null;
}

const THIRD = "a-third-secret-that-is-long-enough-0123456789";

test.each<{ where: string; settings: Record<string, string>; run: typeof runProgram }>([
  { where: "in the data folder", settings: {}, run: rotate },
  // With the preparation in a process of its own, which is told of the option.
  { where: "in settings", settings: { APP_SECRET: THIRD }, run: runProgram },
])(
  "a database of a lost secret is not touched, until --forget takes it for the secret $where",
  async ({ settings, run }) => {
    await readAppSecrets(folder);
    await transaction((owner) => recordSecrets(owner, { secrets: [OTHER] }));
    const before = await recorded();
    const both = { ...settings, APP_SECRET_PREVIOUS: (ORIGINAL.APP_SECRET ?? "").toUpperCase() };
    expect(await rotate(both)).toMatchObject({ code: 1, err: expect.stringContaining("another secret") });
    expect(await recorded()).toBe(before);
    Object.assign(env, { APP_SECRET: OTHER });
    await createMigration();
    const forced = await run(settings, "--forget");
    expect(forced).toMatchObject({ code: 0, err: "", out: expect.stringContaining("1 of these values cannot be") });
    expect(forced.out).toMatch(
      /They stay as they are\. To replace them, connect .*\n.*Start .* must sign in again\.\n$/,
    );
    expect(forced.out).not.toContain("APP_SECRET_PREVIOUS");
    expect(await recorded()).not.toContain(before);
    await pool().query("TRUNCATE connections CASCADE");
    const rotated = await rotate(both);
    expect(rotated).toMatchObject({ code: 0, err: "" });
  },
);

test("a forced rotation in settings says that the previous secret can be removed, if there is one", async () => {
  const settings = { APP_SECRET: THIRD, APP_SECRET_PREVIOUS: OTHER };
  const out =
    "No stored value needs APP_SECRET_PREVIOUS any more: remove it. Start every process with this APP_SECRET.";
  expect(await rotate(settings, "--forget")).toMatchObject({ code: 0, out: expect.stringContaining(out) });
});

test("secrets are not forgotten beside a running service, nor for a secret that is none", async () => {
  await transaction((owner) => recordSecrets(owner, { secrets: [OTHER] }));
  const before = await recorded();
  const lock = await acquireLock(folder, "npm start");
  expect(await rotate({ APP_SECRET: THIRD }, "--forget")).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^npm start \(process \d+\) is running on .* Stop the service first/),
  });
  await lock.release();
  expect(await rotate({ APP_SECRET: "changeme" }, "--forget")).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^APP_SECRET must have at least 32 characters/),
  });
  expect(await recorded()).toBe(before);
});

test("the help says what --forget costs before it is run", async () => {
  const { out } = await runProgram({}, "--help");
  for (const told of [/stop every process on every machine/, /password of the database user/, /cannot be undone/])
    expect(out).toMatch(told);
});

test("where web and worker use a user of the operator's, the address with that user is required", async () => {
  const user = new URL(process.env.DATABASE_URL ?? "").username;
  const ended = await rotate({ APP_SECRET: OTHER, APP_SECRET_PREVIOUS: "", DATABASE_RUNTIME_URL: "" });
  expect(ended).toMatchObject({
    code: 1,
    err: expect.stringContaining(`Web and worker use the database user ${user}`),
  });
  // It has lost nothing.
  await service().query("SELECT count(*) FROM accounts");
});

test("the secret in the data folder is used until APP_SECRET is set", async () => {
  await writeFile(join(folder, "app-secret"), `${OTHER}\n`);
  expect(await readAppSecrets(folder)).toEqual({ APP_SECRET: OTHER, APP_SECRET_PREVIOUS: "" });
  vi.stubEnv("APP_SECRET_PREVIOUS", OTHER.toUpperCase());
  expect(await readAppSecrets(folder)).toEqual({ APP_SECRET: OTHER, APP_SECRET_PREVIOUS: OTHER.toUpperCase() });
  await dropPreviousSecrets(folder);
  vi.stubEnv("APP_SECRET", OTHER.toLowerCase());
  expect(await readAppSecrets(folder)).toEqual({
    APP_SECRET: OTHER.toLowerCase(),
    APP_SECRET_PREVIOUS: OTHER.toUpperCase(),
  });
});

test("no new database is made to rotate in, and no new secret for a database that is elsewhere", async () => {
  const nowhere = await rotate({ DATABASE_URL: "", APP_SECRET: OTHER, APP_SECRET_PREVIOUS: "x".repeat(32) });
  expect(nowhere).toMatchObject({ code: 1, out: "", err: expect.stringContaining("There is no database in ") });
  const unknown = await rotate({}, "--forget");
  expect(unknown).toMatchObject({
    code: 1,
    out: "",
    err: expect.stringMatching(/^APP_SECRET is not set, and .* has no file/),
  });
  expect(await readdir(folder)).toEqual([]);
});
