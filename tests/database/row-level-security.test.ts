import { expect, test } from "vitest";

import { pool } from "@/lib/database/db";
import { acrossOrganizations } from "@/lib/database/organization-scope";
import { RESOURCES } from "@/lib/records/schema/resources";
import { explained } from "@/scripts/postgres/explain-failure";
import { secureDatabase } from "@/scripts/postgres/row-level-security";
import { ACROSS_ORGANIZATIONS, OWN_ROWS, WITHOUT_ORGANIZATION } from "@/scripts/postgres/across-organizations";
import { untilLockWaits } from "@/tests/support/lock-waits";
import { pool as owner, transaction } from "@/tests/support/owner";

async function namesOf(text: string, values: unknown[] = []): Promise<string[]> {
  const { rows } = await owner().query<{ name: string }>(text, values);
  return rows.map(({ name }) => name);
}

const { username: runtime } = new URL(process.env.DATABASE_URL ?? "");
const across = `${runtime}_across`;

test("the service's user is no superuser, bypasses nothing, owns nothing and inherits nothing", async () => {
  const { rows } = await pool().query<Record<string, unknown>>(
    `SELECT current_user::text AS user, rolsuper, rolbypassrls, rolinherit, rolcreaterole, rolcreatedb, rolreplication
      FROM pg_roles WHERE rolname = current_user`,
  );
  const none = {
    rolsuper: false,
    rolbypassrls: false,
    rolinherit: false,
    rolcreaterole: false,
    rolcreatedb: false,
    rolreplication: false,
  };
  expect(rows).toEqual([{ user: runtime, ...none }]);
  const beyond = await owner().query("SELECT rolsuper, rolbypassrls, rolcanlogin FROM pg_roles WHERE rolname = $1", [
    across,
  ]);
  expect(beyond.rows).toEqual([{ rolsuper: false, rolbypassrls: false, rolcanlogin: false }]);
  const owned = `SELECT relname AS name FROM pg_class WHERE relowner = ANY (ARRAY[$1, $2]::regrole[])
    UNION ALL SELECT proname
      FROM pg_proc WHERE proowner = ANY (ARRAY[$1, $2]::regrole[])`;
  expect(await namesOf(owned, [runtime, across])).toEqual([]);
});

test("every table with organization_id has forced row-level security and the one policy", async () => {
  const tables = await namesOf(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'
      AND table_type = 'BASE TABLE'`,
  );
  const scoped = await namesOf(
    `SELECT table_name AS name FROM information_schema.columns WHERE table_schema = 'public'
      AND column_name = 'organization_id'`,
  );
  const known = new Set([...scoped, ...Object.keys(OWN_ROWS), ...WITHOUT_ORGANIZATION, "_prisma_migrations"]);
  expect(
    tables.filter((name) => !known.has(name)),
    "say in scripts/postgres/across-organizations.ts whose rows they are",
  ).toEqual([]);
  const secured = `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relrowsecurity
      AND relforcerowsecurity`;
  expect((await namesOf(secured)).toSorted()).toEqual([...scoped, ...Object.keys(OWN_ROWS)].toSorted());
  const rules = await owner().query<{ tablename: string; qual: string; check: string | null }>(
    `SELECT tablename, qual, with_check AS check FROM pg_policies WHERE schemaname = 'public'
      AND policyname = 'organization' AND cmd = 'ALL' AND permissive = 'PERMISSIVE' AND roles = '{public}'`,
  );
  const rule = "(organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid)";
  expect(rules.rows.map(({ tablename }) => tablename).toSorted()).toEqual(
    [...scoped, ...Object.keys(OWN_ROWS)].toSorted(),
  );
  expect(rules.rows.filter(({ check }) => check !== null)).toEqual([]);
  const plain = rules.rows.filter(({ tablename }) => scoped.includes(tablename) && !(tablename in OWN_ROWS));
  expect(plain.filter(({ qual }) => qual !== rule)).toEqual([]);
});

test("no other policy opens more than the named work across organizations, for its role", async () => {
  const others = await namesOf(
    `SELECT tablename || ' ' || policyname || ' ' || array_to_string(roles, ',') AS name FROM pg_policies
      WHERE schemaname = 'public' AND policyname <> 'organization'`,
  );
  const secured = Object.keys(ACROSS_ORGANIZATIONS).filter((name) => !WITHOUT_ORGANIZATION.includes(name));
  expect(others.toSorted()).toEqual(secured.map((name) => `${name} across ${across}`).toSorted());
});

test("work across organizations reaches no record: it can only delete deleted ones", async () => {
  // The ids of opportunities are for the purge of the release before this one.
  expect(RESOURCES.filter((resource) => resource in ACROSS_ORGANIZATIONS)).toEqual(["opportunities"]);
  for (const resource of RESOURCES) {
    await expect(acrossOrganizations(() => pool().query(`SELECT * FROM ${resource}`))).rejects.toThrow(
      "permission denied",
    );
    await expect(acrossOrganizations(() => pool().query(`DELETE FROM ${resource}`))).rejects.toThrow(
      "permission denied",
    );
  }
  for (const secret of [
    "record FROM deleted_records",
    "record_id FROM migration_changes",
    "record_id FROM waiting_links",
    "object FROM events",
    "secret FROM webhooks",
    "access_token_enc FROM connections",
    "body FROM idempotency_keys",
  ]) {
    await expect(acrossOrganizations(() => pool().query(`SELECT ${secret}`))).rejects.toThrow("permission denied");
  }
});

test("work across organizations cannot use commands that it does not need", async () => {
  const tokens = ["oauth_tokens", "oauth_codes", "oauth_grants", "oauth_authorizations", "sessions", "password_links"];
  for (const text of [
    ...tokens.map((table) => `INSERT INTO ${table} DEFAULT VALUES`),
    ...tokens.map((table) => `UPDATE ${table} SET user_id = NULL`),
    "UPDATE oauth_tokens SET expires_at = now()",
    "DELETE FROM oauth_tokens",
    "DELETE FROM oauth_grants",
    "UPDATE memberships SET role = 'admin'",
    "DELETE FROM memberships",
    "UPDATE users SET email = 'other@example.com'",
    "DELETE FROM users",
    "SELECT storage_bytes FROM organizations",
    "SELECT * FROM throttles",
  ]) {
    await expect(acrossOrganizations(() => pool().query(text))).rejects.toThrow("permission denied");
  }
});

test("what the release before this one purges across organizations, it still may while both run", async () => {
  for (const [table, time] of [
    ["webhook_attempts", "attempted_at"],
    ["webhook_deliveries", "created_at"],
  ]) {
    const old = `SELECT ctid FROM ${table} WHERE ${time} < now() - interval '30 days' LIMIT 5000`;
    const purged = acrossOrganizations(() => pool().query(`DELETE FROM ${table} WHERE ctid IN (${old})`));
    expect((await purged).rowCount).toBe(0);
  }
});

test("the service changes neither what browsers run, nor that an organization was deleted", async () => {
  for (const text of [
    "INSERT INTO static_files (path, build, content) VALUES ('a', 'b', 'c')",
    "UPDATE static_files SET content = 'c'",
    "DELETE FROM static_files",
    "SELECT FROM organization_deletions",
    "UPDATE organization_deletions SET deleted_by = id",
    "DELETE FROM organization_deletions",
  ])
    await expect(pool().query(text)).rejects.toThrow("permission denied");
});

const POLICIES = `SELECT concat_ws(' ', tablename, policyname, qual, with_check) AS name FROM pg_policies
  WHERE schemaname = 'public'
    ORDER BY 1`;

function protectAgain(): Promise<string> {
  return secureDatabase(process.env.DATABASE_OWNER_URL ?? "", {
    runtimeUrl: process.env.DATABASE_URL ?? "",
    secrets: ["unused"],
  });
}

test("a policy that a release or a person left behind is corrected, and others are dropped", async () => {
  await protectAgain();
  const before = await namesOf(POLICIES);
  for (const text of [
    "ALTER POLICY organization ON accounts USING (true)",
    "ALTER POLICY organization ON users WITH CHECK (true)",
    "DROP POLICY organization ON events; CREATE POLICY organization ON events AS RESTRICTIVE USING (true)",
    "CREATE POLICY left_over ON contacts USING (true)",
    "ALTER POLICY across ON sessions USING (false)",
    "COMMENT ON POLICY organization ON leads IS 'made of another rule'",
  ]) {
    await owner().query(text);
  }
  await protectAgain();
  expect(await namesOf(POLICIES)).toEqual(before);
  expect(await namesOf("SELECT polname AS name FROM pg_policy WHERE NOT polpermissive")).toEqual([]);
  const standing = "SELECT oid::text || xmin::text AS name FROM pg_policy ORDER BY 1";
  const stood = await namesOf(standing);
  await protectAgain();
  expect(await namesOf(standing), "what says what it should is not made again: that would hold every table").toEqual(
    stood,
  );
});

/** Accounts have another policy, which is to be corrected, and a transaction reads them until `meanwhile` is done. */
async function protectBesideReader(meanwhile: (protecting: Promise<string>) => Promise<void>): Promise<void> {
  await owner().query("ALTER POLICY organization ON accounts USING (true)");
  await transaction(async (reader) => {
    await reader.query("SELECT FROM accounts LIMIT 1");
    const protecting = protectAgain();
    protecting.catch(() => undefined);
    await meanwhile(protecting);
  });
}

test("while a policy waits for a reader, others are not held up for long, and then it is corrected", async () => {
  await protectAgain();
  const before = await namesOf(POLICIES);
  let protecting: Promise<string> | undefined;
  await protectBesideReader(async (corrected) => {
    protecting = corrected;
    await untilLockWaits(1);
    // It queues behind the correction, which gives up its place.
    await pool().query("SELECT FROM accounts LIMIT 1");
    await untilLockWaits(1);
  });
  await protecting;
  expect(await namesOf(POLICIES)).toEqual(before);
});

test("what ends the connection between two attempts fails the preparation with a sentence", async () => {
  const url = process.env.DATABASE_OWNER_URL ?? "";
  await protectBesideReader(async (protecting) => {
    await untilLockWaits(1);
    const pausing = `FROM pg_stat_activity WHERE datname = current_database() AND application_name = ''
      AND state = 'idle' AND query = 'ROLLBACK'`;
    await expect.poll(async () => (await owner().query(`SELECT ${pausing}`)).rowCount).toBe(1);
    await owner().query(`SELECT pg_terminate_backend(pid) ${pausing}`);
    await expect(explained(url, protecting)).rejects.toThrow(/^The database could not be prepared: /);
  });
  await protectAgain();
});

test("the service can change neither the audit log, the schema, nor permissions", async () => {
  for (const text of [
    "UPDATE audit_events SET action = 'nothing'",
    "TRUNCATE audit_events",
    "TRUNCATE accounts",
    "ALTER TABLE accounts DISABLE ROW LEVEL SECURITY",
    "DROP POLICY organization ON accounts",
    "CREATE TABLE mine (id int)",
    "SELECT * FROM _prisma_migrations",
    "SET ROLE crm",
  ]) {
    await expect(pool().query(text)).rejects.toThrow(/permission denied|must be owner/);
  }
});

test("the conditions of lists are marked leakproof, so that they can use the indexes", async () => {
  expect(
    await namesOf("SELECT proname AS name FROM pg_proc WHERE proname = ANY ($1) AND NOT proleakproof", [
      ["enum_eq", "ts_match_vq", "search_words", "phone_words", "sort_key", "sort_amount"],
    ]),
  ).toEqual([]);
});
