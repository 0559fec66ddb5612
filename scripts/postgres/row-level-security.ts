import { hkdfSync } from "node:crypto";

import { Client, DatabaseError, escapeIdentifier, escapeLiteral } from "pg";

import { recordSecrets, type Secrets } from "@/scripts/postgres/app-secret";
import { givingWay } from "@/scripts/postgres/apply-script";
import { acrossOf, databaseOf, ENGINE, NOT_ALLOWED, rolesOf } from "@/scripts/postgres/databases";
import { messageOf, withoutPassword } from "@/scripts/postgres/explain-failure";
import { revokeFormerUsers } from "@/scripts/postgres/former-users";
import { ACROSS_ORGANIZATIONS, WITHIN_SCOPE } from "@/scripts/postgres/across-organizations";
import { secureTables, tableNames } from "@/scripts/postgres/policies";
import { renumberEvents } from "@/scripts/postgres/renumber-events";
import { Fault } from "@/scripts/service/fault";

/** An arbitrary constant. Services that start at the same time take turns. */
const LOCK = 7_305_013;

/** A pooler may let a query wait for as long as it likes, while the preparation holds its lock. */
const ANSWER_TIMEOUT_MS = 10_000;

const REFUSED_SIGN_IN = new Set(["28000", "28P01"]);

/**
 * The created user's password is derived from the first secret, or from a later one if that is still its password. So
 * every machine of a service knows it.
 */
export interface Access extends Secrets {
  /**
   * DATABASE_RUNTIME_URL. Its user is created with its password if it is missing; one that is there keeps its own.
   * Undefined: a user of ours is created.
   */
  runtimeUrl?: string | undefined;
}

/**
 * Sets up the second wall between organizations (`docs/decisions/0032-row-level-security.md`): a user for the service
 * that owns nothing and bypasses nothing, row-level security on every table of organizations, and the user's
 * privileges. `ownerUrl` is that of the tables' owner. Idempotent: leaves alone what is already right. Returns the
 * address with which web and worker connect. Throws Fault with the SQL to run if the owner lacks a privilege.
 */
export async function secureDatabase(ownerUrl: string, access: Access): Promise<string> {
  const { runtimeUrl } = access;
  const url = await runtimeUrlOf(ownerUrl, access);
  const role = decodeURIComponent(new URL(url).username);
  if (role === "") throw new Fault(NO_USER);
  const owner = new Client({ connectionString: ownerUrl });
  // What ends the connection between two attempts fails the next one.
  owner.on("error", () => undefined);
  await owner.connect();
  try {
    const isNew = !(await roleExists(owner, role));
    await givingWay(owner, (lockTimeout) => secureAtOnce(owner, role, access, lockTimeout));
    if (runtimeUrl !== undefined) {
      if (isNew) await assertConnects(owner, runtimeUrl, REFUSED_NEW_USER);
    } else if (!(await canSignIn(url)))
      await owner.query(`ALTER ROLE ${escapeIdentifier(role)} PASSWORD ${escapeLiteral(new URL(url).password)}`);
  } catch (error) {
    throw error instanceof DatabaseError && error.code === NOT_ALLOWED ? notAllowed(role, error) : error;
  } finally {
    await owner.end();
  }
  return url;
}

const NO_USER =
  "The address of web and worker names no user. Set DATABASE_RUNTIME_URL to one such as " +
  "postgresql://user:password@host:5432/database.";

async function secureAtOnce(owner: Client, role: string, access: Access, lockTimeout: number): Promise<void> {
  await owner.query("BEGIN");
  try {
    await owner.query("SELECT pg_advisory_xact_lock($1)", [LOCK]);
    await owner.query(`SET LOCAL lock_timeout = ${lockTimeout}`);
    await recordSecrets(owner, access);
    // Before the users that are in use lose their privileges. A user that is not there yet is not tried: a pooler
    // refuses it with codes of its own, and may go on doing so for seconds after it was created.
    if (access.runtimeUrl !== undefined && (await roleExists(owner, role)))
      await assertConnects(owner, access.runtimeUrl, REFUSED_USER);
    await ensureRoles(owner, role, access.runtimeUrl);
    await revokeFormerUsers(owner, role);
    // Last, because it may lock tables, and right before what forces row-level security on them again.
    await renumberEvents(owner);
    await secureTables(owner, acrossOf(role));
    await grant(owner, role);
    await markLeakproof(owner);
    await owner.query("COMMIT");
  } catch (error) {
    await owner.query("ROLLBACK").catch(() => undefined);
    throw error;
  }
}

/** The address with which web and worker connect, whether or not their user exists yet. */
export async function runtimeUrlOf(
  ownerUrl: string,
  { runtimeUrl, secrets: [present, ...previous] }: Access,
): Promise<string> {
  if (runtimeUrl !== undefined) return runtimeUrl;
  for (const secret of previous) {
    const url = derivedUrl(ownerUrl, secret);
    // Other machines may not have the new secret yet. The password changes when the last previous secret is removed.
    if (await canSignIn(url)) return url;
  }
  return derivedUrl(ownerUrl, present);
}

function derivedUrl(ownerUrl: string, secret: string): string {
  const url = new URL(ownerUrl);
  const database = databaseOf(url);
  url.username = encodeURIComponent(rolesOf(database)[0]);
  url.password = Buffer.from(
    hkdfSync("sha256", secret, "", `password of the database user of ${database}`, 24),
  ).toString("base64url");
  return url.href;
}

/**
 * Both users belong to the whole server. The service switches to the second one for single statements, and does not
 * inherit its privileges (NOINHERIT).
 */
async function ensureRoles(owner: Client, role: string, runtimeUrl: string | undefined): Promise<void> {
  const across = acrossOf(role);
  const { rows: users } = await owner.query<{ owner: string }>("SELECT current_user AS owner");
  if (users[0]?.owner === role)
    throw new Fault(
      `The database user ${role} owns the tables, and no row of them is hidden from it. Set DATABASE_RUNTIME_URL to ` +
        "the address with another user, or leave it out.",
    );
  const { rows } = await owner.query<{ name: string; may_bypass: boolean; may_sign_in: boolean }>(
    `SELECT rolname AS name, rolsuper OR rolbypassrls AS may_bypass, rolcanlogin AS may_sign_in FROM pg_roles
      WHERE rolname = ANY ($1)`,
    [[role, across]],
  );
  const privileged = rows.find(({ may_bypass }) => may_bypass);
  if (privileged)
    throw new Fault(
      `The database user ${privileged.name} may see every row: it is a superuser or has BYPASSRLS. Set ` +
        "DATABASE_RUNTIME_URL to the address with another user.",
    );
  const has = (name: string) => rows.some((row) => row.name === name);
  if (!has(role)) {
    const password = decodeURIComponent(new URL(runtimeUrl ?? "postgresql:").password);
    await owner.query(`CREATE ROLE ${escapeIdentifier(role)} LOGIN NOINHERIT`);
    // Apart, because PostgreSQL logs a statement that it refuses.
    if (password) await owner.query(`ALTER ROLE ${escapeIdentifier(role)} PASSWORD ${escapeLiteral(password)}`);
  } else if (runtimeUrl === undefined && !rows.some(({ name, may_sign_in }) => name === role && may_sign_in)) {
    // It was locked out while DATABASE_RUNTIME_URL named another user.
    await owner.query(`ALTER ROLE ${escapeIdentifier(role)} LOGIN`);
  }
  if (!has(across)) await owner.query(`CREATE ROLE ${escapeIdentifier(across)} NOLOGIN`);
  await grantMembership(owner, role, across);
}

async function roleExists(owner: Client, role: string): Promise<boolean> {
  const { rowCount } = await owner.query("SELECT FROM pg_roles WHERE rolname = $1", [role]);
  return rowCount !== 0;
}

const REFUSED_USER =
  "PostgreSQL refuses the user of DATABASE_RUNTIME_URL. Check its password, which is left as it is because the " +
  "user is there already, and whether the server's pg_hba.conf admits it.";

const REFUSED_NEW_USER =
  "PostgreSQL refuses the user of DATABASE_RUNTIME_URL, which was created with the password of this address. Check " +
  "whether the server's pg_hba.conf admits it.";

/**
 * Throws Fault unless DATABASE_RUNTIME_URL, whose user there is, leads to the database of `owner`; with `refused` if
 * PostgreSQL refuses the user.
 */
async function assertConnects(owner: Client, runtimeUrl: string, refused: string): Promise<void> {
  const database = await databaseBehind(runtimeUrl).catch((error: unknown) => {
    const message = withoutPassword(messageOf(error), runtimeUrl);
    throw new Fault(
      `DATABASE_RUNTIME_URL leads to no connection: ${message}. Check host, port, database and password.`,
    );
  });
  if (database === undefined) throw new Fault(refused);
  const { rows } = await owner.query<{ own: string }>("SELECT current_database() AS own");
  if (database !== rows[0]?.own)
    throw new Fault(
      `DATABASE_RUNTIME_URL leads to the database ${database}, and DATABASE_URL to ${rows[0]?.own}. Set both to the ` +
        "same database.",
    );
}

interface Membership {
  is_member: boolean;
  inherits: boolean;
  has_grant_options: boolean;
}

const MEMBERSHIP = `
  SELECT pg_has_role($1, $2, 'MEMBER') AS is_member, pg_has_role($1, $2, 'USAGE') AS inherits,
    current_setting('server_version_num')::int >= 160000 AS has_grant_options`;

/**
 * Lets the user switch to the role without inheriting its privileges. Since PostgreSQL 16 each grant decides whether it
 * is inherited; before, the user's attribute decides.
 */
async function grantMembership(owner: Client, role: string, across: string): Promise<void> {
  const find = async () => (await owner.query<Membership>(MEMBERSHIP, [role, across])).rows[0];
  const before = await find();
  if (!before?.is_member || before.inherits) {
    const options = before?.has_grant_options ? " WITH INHERIT FALSE, SET TRUE" : "";
    await owner.query(`GRANT ${escapeIdentifier(across)} TO ${escapeIdentifier(role)}${options}`);
  }
  if (!(await find())?.inherits) return;
  throw new Fault(
    `The database user ${role} inherits the privileges of ${across}, and would see every organization's rows. Run ` +
      `as the owner: ALTER ROLE ${escapeIdentifier(role)} NOINHERIT;`,
  );
}

async function grant(owner: Client, role: string): Promise<void> {
  const [user, across] = [role, acrossOf(role)].map(escapeIdentifier);
  const both = `${user}, ${across}`;
  const names = await tableNames(owner);
  const statements = [
    `GRANT USAGE ON SCHEMA public, ${ENGINE} TO ${both}`,
    `REVOKE ALL ON ALL TABLES IN SCHEMA public FROM ${both}`,
    `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${ENGINE} TO ${user}`,
    `GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA ${ENGINE} TO ${user}`,
    `GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public, ${ENGINE} TO ${user}`,
    `REVOKE EXECUTE ON FUNCTION refresh_statistics FROM PUBLIC`,
    `GRANT EXECUTE ON FUNCTION refresh_statistics TO ${user}`,
    // Web and worker are ready only with the migrations of their release (lib/observability/readiness.ts).
    `GRANT SELECT (migration_name, finished_at, rolled_back_at) ON _prisma_migrations TO ${user}`,
  ];
  for (const name of names.filter((each) => each !== "_prisma_migrations")) {
    const within = WITHIN_SCOPE[name] ?? ["SELECT", "INSERT", "UPDATE", "DELETE"];
    statements.push(`GRANT ${within.join(", ")} ON ${name} TO ${user}`);
    const beyond = ACROSS_ORGANIZATIONS[name];
    if (beyond) statements.push(`GRANT ${beyond.join(", ")} ON ${name} TO ${across}`);
  }
  await owner.query(statements.join(";\n"));
  // graphile-worker restricts its tables to their owner.
  const { rows: closed } = await owner.query<{ name: string }>(
    `SELECT c.oid::regclass::text AS name FROM pg_class c
     WHERE c.relnamespace = '${ENGINE}'::regnamespace AND c.relrowsecurity
       AND NOT EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = c.oid AND p.polroles = ARRAY[$1::regrole::oid])`,
    [user],
  );
  for (const { name } of closed)
    await owner.query(
      `DROP POLICY IF EXISTS service ON ${name}; CREATE POLICY service ON ${name} TO ${user} USING (true)`,
    );
}

/**
 * A condition that is not leakproof is evaluated after the policy, and so cannot use an index (PostgreSQL manual
 * §39.5). Of the functions that lists use, PostgreSQL marks those on uuid, text, numbers and times as leakproof; only a
 * superuser can mark others. These six neither fail nor reveal what they compare: enum_eq compares two numbers,
 * ts_match_vq looks up the words of the query, search_words and phone_words split texts of limited length, sort_key
 * folds one, sort_amount counts the cents of an amount.
 */
async function markLeakproof(owner: Client): Promise<void> {
  const { rows } = await owner.query<{ of: string }>(
    `SELECT p.oid::regprocedure::text AS of FROM pg_proc p
     WHERE p.oid IN ('pg_catalog.enum_eq'::regproc, 'pg_catalog.ts_match_vq'::regproc,
         'public.search_words'::regproc, 'public.phone_words'::regproc, 'public.sort_key'::regproc,
         'public.sort_amount'::regproc)
       AND NOT p.proleakproof AND (SELECT rolsuper FROM pg_roles WHERE rolname = current_user)`,
  );
  for (const { of } of rows) await owner.query(`ALTER FUNCTION ${of} LEAKPROOF`);
}

async function canSignIn(url: string): Promise<boolean> {
  return (await databaseBehind(url)) !== undefined;
}

/** The name of the database at an address, as it calls itself; undefined if it refuses the user. */
async function databaseBehind(url: string): Promise<string | undefined> {
  const client = new Client({ connectionString: url, query_timeout: ANSWER_TIMEOUT_MS });
  client.on("error", () => undefined);
  try {
    await client.connect();
    return (await client.query<{ name: string }>("SELECT current_database() AS name")).rows[0]?.name;
  } catch (error) {
    if (error instanceof DatabaseError && REFUSED_SIGN_IN.has(error.code ?? "")) return undefined;
    throw error;
  } finally {
    await client.end().catch(() => undefined);
  }
}

function notAllowed(role: string, cause: Error): Fault {
  const [user, across] = [role, acrossOf(role)].map(escapeIdentifier);
  return new Fault(
    `The user of DATABASE_URL may not create the user of web and worker: ${cause.message}\n` +
      "Give it CREATEROLE. Or let an administrator run these statements once, and set DATABASE_RUNTIME_URL to the " +
      "address with that user:\n" +
      `  CREATE ROLE ${user} LOGIN NOINHERIT PASSWORD '…';\n` +
      `  CREATE ROLE ${across} NOLOGIN;\n` +
      `  GRANT ${across} TO ${user};`,
  );
}
