import { hkdfSync } from "node:crypto";

import { type ClientBase, escapeLiteral, type Pool } from "pg";

import { Fault } from "@/scripts/service/fault";

/** Its comment has the ids of the secrets of the service. It is dumped and restored with the table. */
const TABLE = "connections";

const COMMENT = `SELECT obj_description(to_regclass('${TABLE}'), 'pg_class') AS comment`;

const ID = /\b[0-9a-f]{16}\b/g;

/** Identifies a secret without revealing anything about it. */
function idOf(secret: string): string {
  return Buffer.from(hkdfSync("sha256", secret, "", "id of the secret of a database", 8)).toString("hex");
}

/** A connection, or any of a pool. */
type Queryable = Pick<ClientBase | Pool, "query">;

/** The secrets with which a service uses its database. */
export interface Secrets {
  /** The present one, and the previous ones. */
  secrets: readonly [string, ...string[]];
  /** Uses it though it was used with another secret, which is lost. */
  forgetsSecrets?: boolean;
}

/**
 * Throws Fault if the database belongs to a service with another APP_SECRET: what that stored could not be read, and
 * the password of its database user would change. Says nothing of a database that no secret was recorded in.
 */
export async function assertSecretIsKnown(database: Queryable, { secrets, forgetsSecrets }: Secrets): Promise<void> {
  if (forgetsSecrets) return;
  const recorded = await readIds(database);
  if (recorded.length === 0 || secrets.some((secret) => recorded.includes(idOf(secret)))) return;
  throw new Fault(
    "This database belongs to a service with another secret (APP_SECRET, or the file app-secret in DATA_DIR). With " +
      "this one, nothing that is stored encrypted could be read. Use that secret; docs/security.md says how to " +
      "change it. If it is lost, stop every process, then run `npm run rotate-secret -- --forget` (in a deployment: " +
      "`node dist/rotate-secret.js --forget`). Then connect each Salesforce org again, and give each webhook a new " +
      "secret.",
  );
}

/**
 * Records the secrets with which a service uses this database, so that each of them is known. Throws Fault if none is,
 * unless those before are lost.
 */
export async function recordSecrets(owner: Queryable, given: Secrets): Promise<void> {
  await assertSecretIsKnown(owner, given);
  const ids = given.secrets.map(idOf);
  if (ids.join() === (await readIds(owner)).join()) return;
  await owner.query(`COMMENT ON TABLE ${TABLE} IS ${escapeLiteral(`used with APP_SECRET ${ids.join(", ")}`)}`);
}

async function readIds(database: Queryable): Promise<string[]> {
  const { rows } = await database.query<{ comment: string | null }>(COMMENT);
  return rows[0]?.comment?.match(ID) ?? [];
}
