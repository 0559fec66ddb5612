import { cp, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { expect, test } from "vitest";

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

test("this release serves on while the next one adds to the database, and can be gone back to", async () => {
  await using machine = await Deployment.create();
  const next = join(machine.folder, "next");
  await cp(machine.app, next, { recursive: true, verbatimSymlinks: true });
  const migration = join(next, "prisma/migrations/29990101000000_next_release");
  await mkdir(migration);
  await writeFile(join(migration, "migration.sql"), EXPAND);
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
