import { pool, transaction } from "@/lib/database/db";
import { DELETE_BATCH_SIZE } from "@/lib/database/housekeeping";
import { AppError } from "@/lib/errors";
import { eraseUsersWithoutOrganization } from "@/lib/sessions/people/erase-users";

/** The table that is erased after all others: it says who was removed. */
const LAST = "audit_events";

const TABLES = `
  SELECT c.relname AS name,
    coalesce((SELECT json_agg(DISTINCT f.confrelid::regclass::text) FROM pg_constraint f
      WHERE f.contype = 'f' AND f.conrelid = c.oid AND f.confrelid <> c.oid), '[]') AS parents,
    coalesce((SELECT json_agg(a.attname) FROM pg_constraint f JOIN pg_attribute a ON a.attrelid = c.oid
        AND a.attnum = ANY (f.conkey) AND NOT a.attnotnull
      WHERE f.contype = 'f' AND f.conrelid = c.oid AND f.confrelid = c.oid), '[]') AS own_links
  FROM pg_class c JOIN pg_attribute o ON o.attrelid = c.oid AND o.attname = 'organization_id' AND NOT o.attisdropped
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') ORDER BY c.relname`;

interface Table {
  name: string;
  /** Other tables that its rows refer to. */
  parents: string[];
  /** Columns that refer to rows of the same table. */
  own_links: string[];
}

/**
 * Erases rows of a deleted organization, in batches, each a transaction of its own, for about `milliseconds`. Tables
 * are found by their column, so that a new one cannot be forgotten. Returns whether nothing is left but the
 * organization itself and the tables `kept`.
 */
export async function eraseRows(
  organizationId: string,
  milliseconds: number,
  kept: readonly string[] = [],
): Promise<boolean> {
  const end = performance.now() + milliseconds;
  const { rows } = await pool().query<Table>(TABLES);
  for (const { name, own_links } of childrenFirst(rows)) {
    if (kept.includes(name)) continue;
    const steps = [...own_links.map((column) => unlinkBatch(name, column)), deleteBatch(name)];
    if (name === LAST) await eraseRemovedPeople(organizationId);
    for (const text of steps) {
      if (!(await repeat(text, organizationId, end))) return false;
    }
  }
  return true;
}

/** Erases the organization's own row, the last. */
export async function eraseOrganization(organizationId: string): Promise<void> {
  await pool().query("DELETE FROM organizations WHERE id = $1 AND deleted_at IS NOT NULL", [organizationId]);
}

/**
 * Throws `illegal_state` for an organization that is not deleted. One whose row is gone may be erased: an erasure is
 * asked for again while one runs.
 */
export async function assertErasable(organizationId: string): Promise<void> {
  const text = "SELECT FROM organizations WHERE id = $1 AND deleted_at IS NULL";
  if ((await pool().query(text, [organizationId])).rowCount !== 0)
    throw new AppError("illegal_state", "Only the data of a deleted organization can be erased.");
}

/** Tables before those that they refer to, and the audit log at the end. */
function childrenFirst(tables: readonly Table[]): Table[] {
  const open = new Map(tables.map((table) => [table.name, table]));
  const ordered: Table[] = [];
  while (open.size > 0) {
    const referred = new Set([...open.values()].flatMap(({ parents }) => parents));
    const free = [...open.values()].filter(({ name }) => !referred.has(name));
    if (free.length === 0) throw new Error(`These tables refer to each other: ${[...open.keys()].join(", ")}.`);
    for (const table of free) open.delete(table.name);
    ordered.push(...free);
  }
  return [...ordered.filter(({ name }) => name !== LAST), ...ordered.filter(({ name }) => name === LAST)];
}

function deleteBatch(table: string): string {
  return `DELETE FROM ${table} WHERE organization_id = $1 AND ctid = ANY (ARRAY(
    SELECT ctid FROM ${table} WHERE organization_id = $1 LIMIT ${DELETE_BATCH_SIZE}))`;
}

/** A batch may hold a parent whose child is in another batch. */
function unlinkBatch(table: string, column: string): string {
  return `UPDATE ${table} SET ${column} = NULL WHERE organization_id = $1 AND ctid = ANY (ARRAY(
    SELECT ctid FROM ${table} WHERE organization_id = $1 AND ${column} IS NOT NULL LIMIT ${DELETE_BATCH_SIZE}))`;
}

/** Whether the statement found nothing more before `end`. At least one batch is worked. */
async function repeat(text: string, organizationId: string, end: number): Promise<boolean> {
  for (;;) {
    const { rowCount } = await pool().query(text, [organizationId]);
    if ((rowCount ?? 0) < DELETE_BATCH_SIZE) return true;
    if (performance.now() > end) return false;
  }
}

const REMOVED = `
  SELECT DISTINCT details ->> 'member_id' AS id FROM audit_events
  WHERE organization_id = $1 AND action = 'member.removed'`;

/** Erases people whom the organization had removed: their rows stay, so that they can come back as themselves. */
function eraseRemovedPeople(organizationId: string): Promise<void> {
  return transaction(async (client) => {
    const removed = await client.query<{ id: string }>(REMOVED, [organizationId]);
    const ids = removed.rows.map(({ id }) => id);
    await eraseUsersWithoutOrganization(client, organizationId, ids);
  });
}
