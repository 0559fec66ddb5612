import { pool } from "@/lib/database/db";
import { inEachOrganization } from "@/lib/database/housekeeping";
import { decrypt, encrypt, type Place, presentKeyId, Undecryptable } from "@/lib/security/crypto";

interface EncryptedColumn {
  table: string;
  column: string;
  /** The column that is the primary key together with organization_id. */
  key: "id" | "key_hash";
}

/** Every column that holds a ciphertext. Its place is column, organization and key; bytes of a key in hexadecimal. */
export const ENCRYPTED_COLUMNS: readonly EncryptedColumn[] = [
  { table: "connections", column: "access_token_enc", key: "id" },
  { table: "connections", column: "refresh_token_enc", key: "id" },
  { table: "connection_attempts", column: "code_verifier_enc", key: "id" },
  { table: "webhooks", column: "secret", key: "id" },
  { table: "webhooks", column: "previous_secret", key: "id" },
  { table: "idempotency_keys", column: "body", key: "key_hash" },
];

/** How many values are in memory at a time; a kept answer may have megabytes. */
const BATCH = 20;

/** Processes that still write under the previous secret can keep a column from being done; no more than these turns are taken over it. */
const MOST_PASSES = 5;

/** What became of a column: how many values were encrypted anew, and how many no secret that is set can decrypt. */
export interface Reencrypted {
  name: string;
  done: number;
  undecryptable: number;
}

interface Row {
  organization_id: string;
  key: string | Buffer;
  value: Buffer;
}

/**
 * Encrypts every stored value under the present secret that was encrypted under another one, of all organizations. A value is replaced only if it is
 * still the one that was read, so it may run beside the service, and any number of times.
 */
export async function reencrypt(): Promise<Reencrypted[]> {
  const outcomes: Reencrypted[] = [];
  for (const each of ENCRYPTED_COLUMNS) {
    const outcome = { name: nameOf(each), done: 0, undecryptable: 0 };
    await inEachOrganization(async () => {
      const { done, undecryptable } = await reencryptColumn(each);
      outcome.done += done;
      outcome.undecryptable += undecryptable;
    });
    outcomes.push(outcome);
  }
  return outcomes;
}

async function reencryptColumn(each: EncryptedColumn): Promise<{ done: number; undecryptable: number }> {
  const outcome = { done: 0, undecryptable: 0 };
  for (let pass = 0; pass < MOST_PASSES; pass += 1) {
    const { done, undecryptable } = await passOver(each);
    outcome.done += done;
    outcome.undecryptable = undecryptable;
    if (done === 0) break;
  }
  return outcome;
}

function nameOf({ table, column }: EncryptedColumn): string {
  return `${table}.${column}`;
}

async function passOver(each: EncryptedColumn): Promise<{ done: number; undecryptable: number }> {
  const { table, column, key } = each;
  const next = `
    SELECT organization_id, ${key} AS key, ${column} AS value FROM ${table}
    WHERE substring(${column} FROM 1 FOR length($1::bytea)) <> $1 AND ($2::uuid IS NULL OR (organization_id, ${key}) > ($2, $3))
    ORDER BY organization_id, ${key} LIMIT ${BATCH}`;
  let [done, undecryptable] = [0, 0];
  let last: Row | undefined;
  for (;;) {
    const { rows } = await pool().query<Row>(next, [presentKeyId(), last?.organization_id ?? null, last?.key ?? null]);
    for (const row of rows) {
      const anew = encryptedAnew(each, row);
      if (!anew) undecryptable += 1;
      else done += await replace(each, row, anew);
    }
    last = rows.at(-1);
    if (!last) return { done, undecryptable };
  }
}

function encryptedAnew(each: EncryptedColumn, { organization_id, key, value }: Row): Uint8Array | undefined {
  const place: Place = [nameOf(each), organization_id, typeof key === "string" ? key : key.toString("hex")];
  try {
    return encrypt(place, decrypt(place, value));
  } catch (error) {
    if (error instanceof Undecryptable) return undefined;
    throw error;
  }
}

async function replace({ table, column, key }: EncryptedColumn, row: Row, anew: Uint8Array): Promise<number> {
  const text = `UPDATE ${table} SET ${column} = $4 WHERE organization_id = $1 AND ${key} = $2 AND ${column} = $3`;
  return (await pool().query(text, [row.organization_id, row.key, row.value, anew])).rowCount ?? 0;
}
