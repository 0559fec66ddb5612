import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";

import { beforeEach, expect, onTestFinished, test } from "vitest";

import { pool } from "@/tests/support/owner";

const ROOT = join(import.meta.dirname, "../..");
const SECRET = "a-secret-that-is-long-enough-for-a-service";

/** The program as operators run it. */
async function prepare(settings: Partial<NodeJS.ProcessEnv>) {
  const databases = { DATABASE_URL: process.env.DATABASE_OWNER_URL, DATABASE_RUNTIME_URL: process.env.DATABASE_URL };
  const child = spawn(process.execPath, [join(ROOT, "dist/prepare-database.js")], {
    cwd: ROOT,
    env: { ...process.env, ...databases, APP_SECRET_PREVIOUS: "", ...settings },
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

test("what the database says is reported with what to check, and without the password", async () => {
  const away = "postgresql://crm:secret-word@127.0.0.1:1/crm";
  const ended = await prepare({ APP_SECRET: SECRET, DATABASE_URL: away });
  expect(ended.code).toBe(1);
  expect(ended.err).toMatch(
    /^The database could not be prepared: .*ECONNREFUSED.*\n.*that of DATABASE_URL, check that/,
  );
  expect(ended.err).not.toContain("secret-word");
});

test("an error of a file is not blamed on the database", async () => {
  const folder = await mkdtemp(join(tmpdir(), "crm-prepare-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, "file"), "");
  const ended = await prepare({ APP_SECRET: "", DATA_DIR: join(folder, "file") });
  expect(ended).toMatchObject({ code: 1, err: expect.stringContaining("ENOTDIR") });
  expect(ended.err).not.toContain("could not be prepared");
});
