import { chmod, cp, mkdir, mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";

import { expect, test } from "vitest";

import { RELEASE_MIGRATIONS } from "@/lib/database/release-migrations";
import { freePort } from "@/scripts/service/free-port";
import { Deployment } from "@/tests/deployment/support/deployment";
import { newToken } from "@/tests/deployment/support/new-token";
import { Traffic } from "@/tests/deployment/support/traffic";

/** What a next release may do to the database while this one serves: it only adds. */
const EXPAND = `
ALTER TABLE accounts ADD COLUMN next_release text;
CREATE TABLE next_release_notes (
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  id uuid NOT NULL,
  text text NOT NULL,
  PRIMARY KEY (organization_id, id)
);`;

const SECURED = `
  SELECT (SELECT relrowsecurity AND relforcerowsecurity FROM pg_class WHERE relname = 'next_release_notes')
    AND EXISTS (SELECT FROM pg_policy WHERE polrelid = 'next_release_notes'::regclass)
    AND EXISTS (SELECT FROM pg_attribute WHERE attrelid = 'accounts'::regclass AND attname = 'next_release')`;

/** A copy of this release with one more migration, which its programs know. */
async function nextRelease(machine: Deployment, script: string): Promise<string> {
  const next = await mkdtemp(join(machine.folder, "next-"));
  await chmod(next, 0o755);
  await cp(machine.app, next, { recursive: true, verbatimSymlinks: true });
  const name = "29990101000000_next_release";
  await mkdir(join(next, "prisma/migrations", name));
  await writeFile(join(next, "prisma/migrations", name, "migration.sql"), script);
  const last = JSON.stringify(RELEASE_MIGRATIONS.at(-1));
  for (const program of await readdir(join(next, "dist"))) {
    const file = join(next, "dist", program);
    const code = await readFile(file, "utf8");
    if (code.includes(last)) await writeFile(file, code.replace(last, `${last}, ${JSON.stringify(name)}`));
  }
  return next;
}

test("this release serves on while the next one adds to the database, and can be gone back to", async () => {
  await using machine = await Deployment.create();
  const next = await nextRelease(machine, EXPAND);
  const database = await machine.startPostgres("postgres");
  await machine.prepare(database);
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const settings = { APP_URL: baseUrl, DATABASE_URL: database.runtimeUrl };
  await machine.startWeb(port, settings);
  const token = await newToken(baseUrl);

  const traffic = new Traffic(baseUrl, token);
  await traffic.untilAnswered(50);
  await machine.prepare(database, next);
  expect((await database.run("psql", ["-Atc", SECURED, database.ownerUrl])).trim()).toBe("t");
  await traffic.untilAnswered(50);
  // Going back: the older preparation leaves alone what the next release has added.
  await machine.prepare(database);
  expect((await database.run("psql", ["-Atc", SECURED, database.ownerUrl])).trim()).toBe("t");
  await traffic.untilAnswered(50);
  const { failures, written } = await traffic.stop();

  expect(failures).toEqual([]);
  const stored = (await database.run("psql", ["-Atc", "SELECT name FROM accounts", database.ownerUrl])).trim();
  expect(stored.split("\n").toSorted()).toEqual(written.toSorted());
});

/** Adds a script to a build, as a page of that release alone would have. */
async function addScript(app: string, name: string): Promise<void> {
  const file = join(app, ".next/static/chunks", `${name}.js`);
  await writeFile(file, `"${name}"`);
  await writeFile(`${file}.br`, brotliCompressSync(`"${name}"`));
  await writeFile(join(app, ".next/BUILD_ID"), name);
}

test("while two releases serve side by side, each answers for the scripts of the other's pages", async () => {
  await using machine = await Deployment.create();
  const next = await nextRelease(machine, EXPAND);
  await addScript(machine.app, "only-in-this");
  await addScript(next, "only-in-next");
  const database = await machine.startPostgres("postgres");
  await machine.prepare(database);
  await machine.prepare(database, next);
  const ports = [await freePort(), await freePort()];
  const settings = { APP_URL: `http://127.0.0.1:${ports[0]}`, DATABASE_URL: database.runtimeUrl };
  for (const [index, app] of [machine.app, next].entries()) await machine.startWeb(ports[index] ?? 0, settings, app);
  for (const port of ports)
    for (const name of ["only-in-this", "only-in-next"]) {
      const answer = await fetch(`http://127.0.0.1:${port}/_next/static/chunks/${name}.js`);
      expect([answer.status, await answer.text()]).toEqual([200, `"${name}"`]);
    }
});

const RUNNING = "FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%next_release_notes%pg_sleep%'";

test("a preparation that is killed stops neither this release nor its own next attempt", async () => {
  await using machine = await Deployment.create();
  const next = await nextRelease(machine, `${EXPAND}\nSELECT pg_sleep(600);`);
  const database = await machine.startPostgres("postgres");
  const ask = async (text: string) => (await database.run("psql", ["-Atc", text, database.ownerUrl])).trim();
  await machine.prepare(database);
  const killed = await machine.startPreparation(database, next);
  const others = `${RUNNING} AND pid <> pg_backend_pid()`;
  await expect.poll(() => ask(`SELECT count(*) ${others}`), { timeout: 60_000 }).toBe("1");
  killed.kill("SIGKILL");
  await ask(`SELECT pg_terminate_backend(pid) ${others}`);

  await machine.prepare(database);
  expect(await ask("SELECT to_regclass('next_release_notes') IS NULL")).toBe("t");
  await machine.prepare(database, await nextRelease(machine, EXPAND));
  expect(await ask(SECURED)).toBe("t");
});
