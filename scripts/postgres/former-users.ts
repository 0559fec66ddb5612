import { type Client, DatabaseError, escapeIdentifier } from "pg";

import { acrossOf, databaseOf, ENGINE, NOT_ALLOWED, rolesOf, withClient } from "@/scripts/postgres/databases";
import { Fault } from "@/scripts/service/fault";

/** Users that `ensureRoles` set up earlier, and that still have privileges here: never the owner, who is asking. */
const FORMER_USERS = `
  SELECT u.rolname AS name, current_database()::text AS database
  FROM pg_roles u JOIN pg_roles a ON a.rolname = u.rolname || '_across' JOIN pg_namespace n ON n.nspname = '${ENGINE}'
  WHERE u.rolname NOT IN ($1, current_user) AND NOT u.rolsuper AND has_schema_privilege(u.oid, n.oid, 'USAGE')`;

/**
 * Throws Fault if web and worker use a database user of the operator's. Without DATABASE_RUNTIME_URL, preparing the
 * database would revoke the privileges of that user. `ownerUrl` is that of the tables' owner.
 */
export function assertUsersAreOurs(ownerUrl: string): Promise<void> {
  const [role] = rolesOf(databaseOf(new URL(ownerUrl)));
  return withClient(ownerUrl, async (owner) => {
    const [other] = (await owner.query<{ name: string }>(FORMER_USERS, [role])).rows;
    if (other)
      throw new Fault(
        `Web and worker use the database user ${other.name}. Set DATABASE_RUNTIME_URL to the address with that user, ` +
          "as the preparation of the database has it.",
      );
  });
}

/** Throws Fault if {@link revokeFormerUsers} would, before anything of the database is changed. */
export function assertFormerUsersUnused(ownerUrl: string, runtimeUrl: string): Promise<void> {
  const role = decodeURIComponent(new URL(runtimeUrl).username);
  return withClient(ownerUrl, async (owner) => {
    const { rows } = await owner.query<{ name: string }>(FORMER_USERS, [role]);
    for (const { name } of rows) await assertUnused(owner, name);
  });
}

/**
 * Revokes all privileges of the users that were the service's before DATABASE_RUNTIME_URL named another, because
 * whoever knows their password could continue. The user created for this database can no longer sign in either; other
 * users are their creators' to remove. Throws Fault while somebody is connected as such a user.
 */
export async function revokeFormerUsers(owner: Client, role: string): Promise<void> {
  const { rows } = await owner.query<{ name: string; database: string }>(FORMER_USERS, [role]);
  for (const { name, database } of rows) {
    await assertUnused(owner, name);
    const both = [name, acrossOf(name)].map(escapeIdentifier).join(", ");
    await owner.query(
      ["TABLES", "SEQUENCES", "FUNCTIONS"]
        .map((kind) => `REVOKE ALL ON ALL ${kind} IN SCHEMA public, ${ENGINE} FROM ${both}`)
        .join(";\n") + `;\nREVOKE ALL ON SCHEMA public, ${ENGINE} FROM ${both}`,
    );
    if (name === rolesOf(database)[0]) await ifAllowed(owner, `ALTER ROLE ${escapeIdentifier(name)} NOLOGIN`);
  }
}

const COUNT_SESSIONS = `
  SELECT count(*)::int AS sessions FROM pg_stat_activity WHERE datname = current_database() AND usename = $1`;

/** A forgotten or mistyped DATABASE_RUNTIME_URL would otherwise lock a running service out of its database. */
async function assertUnused(owner: Client, name: string): Promise<void> {
  const { rows } = await owner.query<{ sessions: number }>(COUNT_SESSIONS, [name]);
  const sessions = rows[0]?.sessions ?? 0;
  if (sessions === 0) return;
  throw new Fault(
    `Web or worker uses the database user ${name} (connections: ${sessions}), from which this would take all rights. ` +
      "Set DATABASE_RUNTIME_URL to the address with that user. If another is to take its place, stop those processes " +
      "first, and end what is left of their connections, also a pooler's (pg_terminate_backend).",
  );
}

/** Runs an optional statement. A missing privilege is ignored. */
async function ifAllowed(owner: Client, text: string): Promise<void> {
  await owner.query("SAVEPOINT before");
  await owner.query(text).catch(async (error: unknown) => {
    if (!(error instanceof DatabaseError && error.code === NOT_ALLOWED)) throw error;
    await owner.query("ROLLBACK TO SAVEPOINT before");
  });
}
