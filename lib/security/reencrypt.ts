import { pool } from "@/lib/database/db";
import { forEachOrganization } from "@/lib/database/housekeeping";
import { decrypt, encrypt, type EncryptionContext, currentKeyId, DecryptionError } from "@/lib/security/crypto";

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
const BATCH_SIZE = 20;

/**
 * Processes that still write under the previous secret can keep a column from being done; no more than these turns are
 * taken over it.
 */
const MAX_PASSES = 5;

/** What became of a column: how many values were encrypted anew, and how many no secret that is set can decrypt. */
export interface ReencryptionResult {
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
 * Encrypts every stored value under the present secret that was encrypted under another one, of all organizations. A
 * value is replaced only if it is still the one that was read, so it may run beside the service, and any number of
 * times.
 */
export async function reencrypt(): Promise<ReencryptionResult[]> {
  const outcomes: ReencryptionResult[] = [];
  for (const each of ENCRYPTED_COLUMNS) {
    const outcome = { name: nameOf(each), done: 0, undecryptable: 0 };
    await forEachOrganization(async () => {
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
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const { done, undecryptable } = await reencryptPass(each);
    outcome.done += done;
    outcome.undecryptable = undecryptable;
    if (done === 0) break;
  }
  return outcome;
}

function nameOf({ table, column }: EncryptedColumn): string {
  return `${table}.${column}`;
}

async function reencryptPass(each: EncryptedColumn): Promise<{ done: number; undecryptable: number }> {
  const { table, column, key } = each;
  const next = `
    SELECT organization_id, ${key} AS key, ${column} AS value FROM ${table}
    WHERE substring(${column} FROM 1 FOR length($1::bytea)) <> $1 AND ($2::uuid IS NULL OR (organization_id, ${key}) > ($2, $3))
    ORDER BY organization_id, ${key} LIMIT ${BATCH_SIZE}`;
  let [done, undecryptable] = [0, 0];
  let last: Row | undefined;
  for (;;) {
    const { rows } = await pool().query<Row>(next, [currentKeyId(), last?.organization_id ?? null, last?.key ?? null]);
    for (const row of rows) {
      const anew = reencryptValue(each, row);
      if (!anew) undecryptable += 1;
      else done += await replace(each, row, anew);
    }
    last = rows.at(-1);
    if (!last) return { done, undecryptable };
  }
}

function reencryptValue(each: EncryptedColumn, { organization_id, key, value }: Row): Uint8Array | undefined {
  const place: EncryptionContext = [nameOf(each), organization_id, typeof key === "string" ? key : key.toString("hex")];
  try {
    return encrypt(place, decrypt(place, value));
  } catch (error) {
    if (error instanceof DecryptionError) return undefined;
    throw error;
  }
}

async function replace({ table, column, key }: EncryptedColumn, row: Row, anew: Uint8Array): Promise<number> {
  const text = `UPDATE ${table} SET ${column} = $4 WHERE organization_id = $1 AND ${key} = $2 AND ${column} = $3`;
  return (await pool().query(text, [row.organization_id, row.key, row.value, anew])).rowCount ?? 0;
}
