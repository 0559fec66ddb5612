import { hkdfSync } from "node:crypto";

import { Client, DatabaseError, escapeIdentifier, escapeLiteral } from "pg";

import { acrossOf, rolesOf } from "@/scripts/postgres/databases";
import { ACROSS_ORGANIZATIONS, WITHIN_SCOPE } from "@/scripts/postgres/across-organizations";
import { secureTables, tableNames } from "@/scripts/postgres/policies";
import { Fault } from "@/scripts/service/fault";

/** Any constant will do; services that start at once take it in turn. */
const LOCK = 7_305_013;

const REFUSED_SIGN_IN = new Set(["28000", "28P01"]);
const NOT_ALLOWED = "42501";

export interface Access {
  /** DATABASE_RUNTIME_URL: with the user whom whoever runs the service has made. Undefined where one is to be made. */
  runtimeUrl?: string | undefined;
  /**
   * The password of the one that is made comes of the first of them, or of a later one if that still is its password:
   * so every machine of a service knows it.
   */
  secrets: readonly [string, ...string[]];
}

/**
 * Puts up the second wall between organizations (`docs/decisions/0032-row-level-security.md`): a user for the service
 * that owns nothing and may bypass nothing, row-level security on every table of organizations, and what the user may
 * do. `ownerUrl` is of the user who owns the tables. It may be done again and again; what stands as it should is left
 * alone. Gives the address with which web and worker connect. Throws Fault with the SQL to run where the owner may not.
 */
export async function protect(ownerUrl: string, access: Access): Promise<string> {
  const { runtimeUrl } = access;
  const url = await runtimeUrlOf(ownerUrl, access);
  const role = decodeURIComponent(new URL(url).username);
  const owner = new Client({ connectionString: ownerUrl });
  await owner.connect();
  try {
    await owner.query("BEGIN");
    await owner.query("SELECT pg_advisory_xact_lock($1)", [LOCK]);
    await ensureRoles(owner, role, runtimeUrl === undefined);
    await shutOutFormer(owner, role);
    await secureTables(owner, acrossOf(role));
    await grant(owner, role);
    await promiseLeakproof(owner);
    await owner.query("COMMIT");
    if (runtimeUrl === undefined && !(await takes(url))) {
      await owner.query(`ALTER ROLE ${escapeIdentifier(role)} PASSWORD ${escapeLiteral(new URL(url).password)}`);
    }
  } catch (error) {
    throw error instanceof DatabaseError && error.code === NOT_ALLOWED ? notAllowed(role, error) : error;
  } finally {
    await owner.end();
  }
  return url;
}

/** The address with which web and worker connect, whether their user is there or not. */
export async function runtimeUrlOf(
  ownerUrl: string,
  { runtimeUrl, secrets: [present, ...previous] }: Access,
): Promise<string> {
  if (runtimeUrl !== undefined) return runtimeUrl;
  for (const secret of previous) {
    const url = derivedUrl(ownerUrl, secret);
    // Others may not have the new secret yet; with the last of the previous ones the password goes too.
    if (await takes(url)) return url;
  }
  return derivedUrl(ownerUrl, present);
}

function derivedUrl(ownerUrl: string, secret: string): string {
  const url = new URL(ownerUrl);
  const database = decodeURIComponent(url.pathname.slice(1));
  url.username = encodeURIComponent(rolesOf(database)[0]);
  url.password = Buffer.from(
    hkdfSync("sha256", secret, "", `password of the database user of ${database}`, 24),
  ).toString("base64url");
  return url.href;
}

/**
 * Both belong to the whole server. The service enters the second for one statement at a time, and has nothing of it
 * otherwise (NOINHERIT).
 */
async function ensureRoles(owner: Client, role: string, mayMake: boolean): Promise<void> {
  const across = acrossOf(role);
  const { rows } = await owner.query<{ name: string; is_free: boolean; may_sign_in: boolean }>(
    `SELECT rolname AS name, rolsuper OR rolbypassrls AS is_free, rolcanlogin AS may_sign_in FROM pg_roles
      WHERE rolname = ANY ($1)`,
    [[role, across]],
  );
  const free = rows.find(({ is_free }) => is_free);
  if (free)
    throw new Fault(
      `The database user ${free.name} may see every row: it is a superuser or has BYPASSRLS. Name another one in ` +
        "DATABASE_RUNTIME_URL.",
    );
  const has = (name: string) => rows.some((row) => row.name === name);
  if (!has(role)) {
    if (!mayMake) throw new Fault(`There is no database user ${role}, whom DATABASE_RUNTIME_URL names.`);
    await owner.query(`CREATE ROLE ${escapeIdentifier(role)} LOGIN NOINHERIT`);
  } else if (mayMake && !rows.some(({ name, may_sign_in }) => name === role && may_sign_in)) {
    // Shut out when DATABASE_RUNTIME_URL named another, which it does no longer.
    await owner.query(`ALTER ROLE ${escapeIdentifier(role)} LOGIN`);
  }
  if (!has(across)) await owner.query(`CREATE ROLE ${escapeIdentifier(across)} NOLOGIN`);
  await letEnter(owner, role, across);
}

interface Membership {
  is_member: boolean;
  inherits: boolean;
  says_for_itself: boolean;
}

const MEMBERSHIP = `
  SELECT pg_has_role($1, $2, 'MEMBER') AS is_member, pg_has_role($1, $2, 'USAGE') AS inherits,
    current_setting('server_version_num')::int >= 160000 AS says_for_itself`;

/**
 * Lets the user enter the role, and have nothing of it otherwise. Since PostgreSQL 16 each grant says for itself
 * whether it is inherited; before, the user does.
 */
async function letEnter(owner: Client, role: string, across: string): Promise<void> {
  const find = async () => (await owner.query<Membership>(MEMBERSHIP, [role, across])).rows[0];
  const before = await find();
  if (!before?.is_member || before.inherits) {
    const options = before?.says_for_itself ? " WITH INHERIT FALSE, SET TRUE" : "";
    await owner.query(`GRANT ${escapeIdentifier(across)} TO ${escapeIdentifier(role)}${options}`);
  }
  if (!(await find())?.inherits) return;
  throw new Fault(
    `The database user ${role} has by itself what ${across} may do, and would see every organization's rows. Run ` +
      `as the owner: ALTER ROLE ${escapeIdentifier(role)} NOINHERIT;`,
  );
}

const ENGINE = "graphile_worker";

/**
 * Users as `ensureRoles` leaves them, other than the one of now, who still have something here. The owner has no role
 * of its name for work across organizations.
 */
const FORMER = `
  SELECT u.rolname AS name, current_database()::text AS database FROM pg_roles u JOIN pg_roles a ON a.rolname = u.rolname || '_across'
  WHERE u.rolname <> $1 AND NOT u.rolsuper AND has_schema_privilege(u.oid, '${ENGINE}', 'USAGE')`;

/**
 * Takes what it may do here from whoever was the service's user before DATABASE_RUNTIME_URL named another: whoever
 * knows that password would go on. The one that was made for this database cannot sign in any more either; of others,
 * that is for whoever made them.
 */
async function shutOutFormer(owner: Client, role: string): Promise<void> {
  const { rows } = await owner.query<{ name: string; database: string }>(FORMER, [role]);
  for (const { name, database } of rows) {
    const both = [name, acrossOf(name)].map(escapeIdentifier).join(", ");
    await owner.query(
      ["TABLES", "SEQUENCES", "FUNCTIONS"]
        .map((kind) => `REVOKE ALL ON ALL ${kind} IN SCHEMA public, ${ENGINE} FROM ${both}`)
        .join(";\n") + `;\nREVOKE ALL ON SCHEMA public, ${ENGINE} FROM ${both}`,
    );
    if (name === rolesOf(database)[0]) await ifAllowed(owner, `ALTER ROLE ${escapeIdentifier(name)} NOLOGIN`);
  }
}

/** Does what can be gone without. */
async function ifAllowed(owner: Client, text: string): Promise<void> {
  await owner.query("SAVEPOINT before");
  await owner.query(text).catch(async (error: unknown) => {
    if (!(error instanceof DatabaseError && error.code === NOT_ALLOWED)) throw error;
    await owner.query("ROLLBACK TO SAVEPOINT before");
  });
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
  ];
  for (const name of names.filter((each) => each !== "_prisma_migrations")) {
    const within = WITHIN_SCOPE[name] ?? ["SELECT", "INSERT", "UPDATE", "DELETE"];
    statements.push(`GRANT ${within.join(", ")} ON ${name} TO ${user}`);
    const beyond = ACROSS_ORGANIZATIONS[name];
    if (beyond) statements.push(`GRANT ${beyond.join(", ")} ON ${name} TO ${across}`);
  }
  await owner.query(statements.join(";\n"));
  // graphile-worker closes its tables to all but their owner.
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
 * A condition that is not known to be leakproof is tested after the policy, and so finds no index (PostgreSQL manual
 * §39.5). Of those that lists are read by, PostgreSQL says it of uuid, text, numbers and times, and only a superuser
 * may say it of others. These neither fail nor tell what they compare: enum_eq compares two numbers, ts_match_vq looks
 * words of the query up, search_words cuts a text up that it has bounded.
 */
async function promiseLeakproof(owner: Client): Promise<void> {
  const { rows } = await owner.query<{ of: string }>(
    `SELECT p.oid::regprocedure::text AS of FROM pg_proc p
     WHERE p.oid IN ('pg_catalog.enum_eq'::regproc, 'pg_catalog.ts_match_vq'::regproc, 'public.search_words'::regproc)
       AND NOT p.proleakproof AND (SELECT rolsuper FROM pg_roles WHERE rolname = current_user)`,
  );
  for (const { of } of rows) await owner.query(`ALTER FUNCTION ${of} LEAKPROOF`);
}

async function takes(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url });
  try {
    await client.connect();
    return true;
  } catch (error) {
    if (error instanceof DatabaseError && REFUSED_SIGN_IN.has(error.code ?? "")) return false;
    throw error;
  } finally {
    await client.end().catch(() => undefined);
  }
}

function notAllowed(role: string, cause: Error): Fault {
  const [user, across] = [role, acrossOf(role)].map(escapeIdentifier);
  return new Fault(
    `The user of DATABASE_URL may not make the user with which web and worker connect: ${cause.message}\n` +
      "Give it CREATEROLE, or have this run once by somebody who may, and set DATABASE_RUNTIME_URL to the address " +
      `with that user:\n` +
      `  CREATE ROLE ${user} LOGIN NOINHERIT PASSWORD '…';\n  CREATE ROLE ${across} NOLOGIN;\n  GRANT ${across} TO ` +
      `${user};`,
  );
}
