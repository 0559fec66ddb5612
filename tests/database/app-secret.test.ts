import { beforeEach, expect, test } from "vitest";

import { recordSecrets } from "@/scripts/postgres/app-secret";
import { withClient } from "@/scripts/postgres/databases";
import { prepareDatabase } from "@/scripts/postgres/prepare-database";
import { secureDatabase } from "@/scripts/postgres/row-level-security";
import { pool } from "@/tests/support/owner";

const ownerUrl = process.env.DATABASE_OWNER_URL ?? "";

beforeEach(() => pool().query("COMMENT ON TABLE connections IS NULL"));

const prepareWith = (...secrets: [string, ...string[]]): Promise<unknown> => prepareDatabase(ownerUrl, { secrets });

/** What a preparation could change: migrations, the users and their passwords, the recorded secrets. */
async function state(): Promise<unknown> {
  const { rows } = await pool().query(
    `SELECT (SELECT jsonb_agg(to_jsonb(m) ORDER BY m.id) FROM _prisma_migrations m) AS migrations,
            (SELECT jsonb_agg(to_jsonb(u) ORDER BY u.oid) FROM pg_authid u
             WHERE starts_with(u.rolname, current_database())) AS users,
            (SELECT jsonb_agg(jsonb_build_object('name', c.relname, 'acl', c.relacl::text) ORDER BY c.oid)
             FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace) AS tables,
            obj_description('connections'::regclass, 'pg_class') AS recorded`,
  );
  return rows[0];
}

test("a service with another secret is refused before it changes anything, and told what to do", async () => {
  await prepareWith("first");
  // It would be forgotten by a preparation.
  await pool().query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, applied_steps_count)
     VALUES (gen_random_uuid(), 'none', '29991231000000_next', now(), 0)`,
  );
  const before = await state();
  const told =
    /another secret \(APP_SECRET, .*`npm run rotate-secret -- --forget` .*`node dist\/rotate-secret\.js --forget`/;
  await expect(prepareWith("second")).rejects.toThrow(told);
  await expect(secureDatabase(ownerUrl, { secrets: ["second"] })).rejects.toThrow(told);
  expect(before).toMatchObject({ users: [{}, {}] });
  expect(await state()).toEqual(before);
  await pool().query("DELETE FROM _prisma_migrations WHERE migration_name = '29991231000000_next'");
  await prepareWith("first");
});

test("a secret is changed step by step, and the old one is refused when it is gone", async () => {
  await prepareWith("old");
  await prepareWith("new", "old");
  // Another machine has not got the new one yet.
  await prepareWith("old");
  await prepareWith("new", "old");
  await prepareWith("new");
  await expect(prepareWith("old")).rejects.toThrow("another secret");
});

test("each secret that was recorded is one that the next preparation may have alone", async () => {
  await prepareWith("old");
  await withClient(ownerUrl, (owner) => recordSecrets(owner, { secrets: ["new", "old"] }));
  await expect(prepareWith("new")).resolves.toMatchObject({ applied: [] });
});

test("who has lost the secret goes on with another one", async () => {
  await prepareWith("lost");
  await prepareDatabase(ownerUrl, { secrets: ["other"], forgetsSecrets: true });
  await expect(prepareWith("lost")).rejects.toThrow("another secret");
  await prepareWith("other");
});

test("a preparation that fails forgets nothing: the database stays that of the secret before", async () => {
  await prepareWith("lost");
  const failing = prepareDatabase(ownerUrl, { secrets: ["other"], forgetsSecrets: true, runtimeUrl: ownerUrl });
  await expect(failing).rejects.toThrow("owns the tables");
  await expect(prepareWith("other")).rejects.toThrow("another secret");
});

test("what is recorded reveals no secret", async () => {
  await prepareWith("visible-secret");
  const { rows } = await pool().query<{ comment: string }>(
    "SELECT obj_description('connections'::regclass, 'pg_class') AS comment",
  );
  expect(rows[0]?.comment).toMatch(/^used with APP_SECRET [0-9a-f]{16}$/);
});
