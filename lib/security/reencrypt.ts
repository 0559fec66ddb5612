import { pool } from "@/lib/database/db";
import { forEachOrganization } from "@/lib/database/housekeeping";
import { decrypt, encrypt, type EncryptionContext, currentKeyId, DecryptionError } from "@/lib/security/crypto";

interface EncryptedColumn {
  table: string;
  column: string;
  /** The column that is the primary key together with organization_id. */
  key: "id" | "key_hash";
}

/**
 * Every column with a ciphertext. Its encryption context is column, organization and key; a binary key in hexadecimal.
 */
export const ENCRYPTED_COLUMNS: readonly EncryptedColumn[] = [
  { table: "connections", column: "access_token_enc", key: "id" },
  { table: "connections", column: "refresh_token_enc", key: "id" },
  { table: "connection_attempts", column: "code_verifier_enc", key: "id" },
  { table: "webhooks", column: "secret", key: "id" },
  { table: "webhooks", column: "previous_secret", key: "id" },
  { table: "idempotency_keys", column: "body", key: "key_hash" },
];

/** How many values are in memory at a time; a stored response may have megabytes. */
const BATCH_SIZE = 20;

/**
 * Processes that still encrypt under the previous secret may add values during a pass. No column gets more passes than
 * this.
 */
const MAX_PASSES = 5;

/** The result for a column: how many values were reencrypted, and how many no configured secret can decrypt. */
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
 * Encrypts every stored value of every organization that is not encrypted under the current secret. A value is replaced
 * only if it has not changed since it was read, so this may run beside the service and more than once.
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
    WHERE substring(${column} FROM 1 FOR length($1::bytea)) <> $1
      AND ($2::uuid IS NULL OR (organization_id, ${key}) > ($2, $3))
    ORDER BY organization_id, ${key} LIMIT ${BATCH_SIZE}`;
  let [done, undecryptable] = [0, 0];
  let last: Row | undefined;
  for (;;) {
    const { rows } = await pool().query<Row>(next, [currentKeyId(), last?.organization_id ?? null, last?.key ?? null]);
    for (const row of rows) {
      const reencrypted = reencryptValue(each, row);
      if (!reencrypted) undecryptable += 1;
      else done += await replace(each, row, reencrypted);
    }
    last = rows.at(-1);
    if (!last) return { done, undecryptable };
  }
}

function reencryptValue(each: EncryptedColumn, { organization_id, key, value }: Row): Uint8Array | undefined {
  const context: EncryptionContext = [
    nameOf(each),
    organization_id,
    typeof key === "string" ? key : key.toString("hex"),
  ];
  try {
    return encrypt(context, decrypt(context, value));
  } catch (error) {
    if (error instanceof DecryptionError) return undefined;
    throw error;
  }
}

async function replace({ table, column, key }: EncryptedColumn, row: Row, reencrypted: Uint8Array): Promise<number> {
  const text = `UPDATE ${table} SET ${column} = $4 WHERE organization_id = $1 AND ${key} = $2 AND ${column} = $3`;
  return (await pool().query(text, [row.organization_id, row.key, row.value, reencrypted])).rowCount ?? 0;
}
