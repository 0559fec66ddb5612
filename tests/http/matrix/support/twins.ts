import { RESOURCES } from "@/lib/records/schema/resources";
import { decrypt, encrypt } from "@/lib/security/crypto";
import { ENCRYPTED_COLUMNS } from "@/lib/security/reencrypt";
import { pool } from "@/tests/support/owner";

import { type Populated, populate } from "@/tests/http/matrix/support/populated";
import { createSides } from "@/tests/http/matrix/support/side";

/**
 * The tables whose primary key is the organization and an id, ordered so that references exist before the rows that use
 * them.
 */
const TABLES = [
  "accounts",
  "contacts",
  "cases",
  "case_comments",
  "leads",
  "opportunities",
  "products",
  "activities",
  "deleted_records",
  "ext_aliases",
  "files",
  "events",
  "opportunity_stage_changes",
  "number_series",
  "connections",
  "migrations",
  "migration_objects",
  "migration_record_issues",
  "migration_conflicts",
  "migration_history",
  "migration_undo_kept",
  "duplicate_searches",
  "duplicate_records",
  "audit_events",
  "webhooks",
  "webhook_deliveries",
  "webhook_attempts",
];

interface Twins {
  ours: Populated;
  theirs: Populated;
}

/**
 * Two organizations whose rows have the same ids and external ids, and differ in nothing but their markers and people.
 * No id is minted twice, but a statement that forgets the organization in one of its conditions tells only by such
 * rows: its other conditions would find nothing else.
 */
export async function createTwins(): Promise<Twins> {
  const sides = await createSides();
  const [theirs] = (await populate([sides.theirs])) as [Populated];
  await alias(theirs);
  const ours = { ...theirs, ...sides.ours };
  for (const table of TABLES) await copyRows(table, theirs, ours);
  await encryptForUs(theirs, ours);
  const both = [[ours.organizationId, theirs.organizationId]];
  for (const table of RESOURCES)
    await pool().query(`UPDATE ${table} SET ext_id = 'twin ' || id WHERE organization_id = ANY ($1)`, both);
  await pool().query("UPDATE products SET sku = 'twin ' || id WHERE organization_id = ANY ($1)", both);
  return { ours, theirs };
}

/** Copies the rows of a table that the other organization does not have yet, with its words. */
export async function copyRows(table: string, from: Populated, to: Populated): Promise<void> {
  const words = [
    from.organizationId,
    from.organizationId,
    to.organizationId,
    from.userId,
    to.userId,
    from.marker,
    to.marker,
  ];
  await pool().query(
    `INSERT INTO ${table} SELECT (jsonb_populate_record(NULL::${table},
       replace(replace(replace(to_jsonb(t)::text, $2, $3), $4, $5), $6, $7)::jsonb)).*
     FROM ${table} t WHERE organization_id = $1 ON CONFLICT DO NOTHING`,
    words,
  );
}

/** A copied ciphertext can only be decrypted in the other organization. */
async function encryptForUs(theirs: Populated, ours: Populated): Promise<void> {
  for (const { table, column } of ENCRYPTED_COLUMNS.filter((each) => TABLES.includes(each.table))) {
    const stored = `SELECT id, ${column} AS value FROM ${table} WHERE organization_id = $1 AND length(${column}) > 0`;
    for (const { id, value } of (await pool().query<{ id: string; value: Buffer }>(stored, [theirs.organizationId]))
      .rows) {
      const text = decrypt([`${table}.${column}`, theirs.organizationId, id], value);
      const values = [ours.organizationId, id, encrypt([`${table}.${column}`, ours.organizationId, id], text)];
      await pool().query(`UPDATE ${table} SET ${column} = $3 WHERE organization_id = $1 AND id = $2`, values);
    }
  }
}

/**
 * External ids besides its own, one per record that all others refer to; and what was left out because of a comment and
 * of an activity.
 */
async function alias({ organizationId, base, migration }: Populated): Promise<void> {
  for (const resource of RESOURCES) {
    await pool().query("INSERT INTO ext_aliases (organization_id, ext_id, entity, record_id) VALUES ($1, $2, $3, $4)", [
      organizationId,
      `also ${base[resource]}`,
      resource,
      base[resource],
    ]);
  }
  const issue = `SELECT id FROM migration_record_issues WHERE organization_id = $1 AND migration_id = $2
    AND ext_id NOT LIKE 'also%'
      LIMIT 1`;
  for (const resource of ["case_comments", "activities"] as const) {
    const text = `UPDATE migration_record_issues SET ext_id = $3 WHERE organization_id = $1 AND id = (${issue})`;
    await pool().query(text, [organizationId, migration, `also ${base[resource]}`]);
  }
}
