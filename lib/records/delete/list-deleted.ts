import { z } from "zod";

import { pool } from "@/lib/database/db";
import { MAX_UUID } from "@/lib/ids";
import { timestampOutput } from "@/lib/input/ids-and-times";
import { cutPage, invalidCursor, pageInput, pageOutput } from "@/lib/input/page";
import { defineOperation, hasScope } from "@/lib/operation";
import { askedKinds, objectsInput } from "@/lib/records/asked-kinds";
import { RESTORABLE_INTERVAL } from "@/lib/records/delete/delete-record";
import { DELETED_NAME, MAX_NAME } from "@/lib/records/delete/deleted-name";
import type { Entity } from "@/lib/records/schema/entity";
import { ENTITIES } from "@/lib/records/schema/registry";
import { RESOURCES } from "@/lib/records/schema/resources";

const deletedRecord = z.object({
  object: z.enum(RESOURCES),
  id: z.uuidv7(),
  name: z.string().describe(`What the record was called, at most ${MAX_NAME} characters.`),
  ext_id: z.string().nullable(),
  deleted_at: timestampOutput,
  deleted_by_id: z.uuidv7(),
  migration_id: z
    .uuidv7()
    .nullable()
    .describe(
      "The migration that deleted it, because it was deleted in Salesforce, or edited here and replaced by what came " +
        "from there; null: somebody deleted it here. It needs the scope crm:read.",
    ),
  restorable_until: timestampOutput,
});

type DeletedRecord = z.infer<typeof deletedRecord>;

interface Row extends Omit<DeletedRecord, "deleted_at" | "restorable_until"> {
  deletion_id: string;
  deleted_at: Date;
  until: Date;
}

const DELETED_TYPES = Object.values<Entity>(ENTITIES).map(({ singular }) => `${singular}.deleted`);

export const listDeletedRecords = defineOperation({
  name: "list_deleted_records",
  summary: "List what can be restored: the records that were deleted in the last 30 days, the latest deletion first.",
  scopes: ["crm:read", "erp:read"],
  input: z.strictObject({
    ...pageInput,
    objects: objectsInput(RESOURCES),
  }),
  output: pageOutput(deletedRecord).describe(
    "A record that was deleted as a part of another, such as a comment of a deleted case, is not listed: it is " +
      "restored with that one.",
  ),
  async run(context, { objects, limit, cursor }) {
    const kinds = askedKinds(context, RESOURCES, objects, "To list deleted");
    const before = cursor === undefined ? MAX_UUID : await deletionOf(context.organizationId, cursor);
    const values = [context.organizationId, kinds, before, limit + 1];
    const { rows } = await pool().query<Row>({ name: "deleted records", text: LIST_DELETED, values });
    const { data, ...page } = cutPage(rows, limit, ({ id }) => id);
    const tellsMigration = hasScope(context, "crm:read");
    return { data: data.map((row) => shown(row, tellsMigration)), ...page };
  },
});

/**
 * The deletion of the cursor's record, by whose id the list is ordered. Whoever restores what a page lists goes on
 * behind a record that is there again: the event of its deletion has the deletion's id. An older deletion of it
 * that is kept for an undo is not meant.
 */
async function deletionOf(organizationId: string, cursor: string): Promise<string> {
  const { rows } = await pool().query<{ id: string | null }>({
    name: "deletion of a cursor",
    text: `SELECT coalesce(
      (SELECT deletion_id FROM deleted_records
       WHERE organization_id = $1 AND resource = ANY ($2) AND id = $3 AND NOT is_part
         AND deleted_at > now() - ${RESTORABLE_INTERVAL} ORDER BY deletion_id LIMIT 1),
      (SELECT id FROM events
       WHERE organization_id = $1 AND record_id = $3 AND type = ANY ($4) ORDER BY tx DESC, id DESC LIMIT 1)) AS id`,
    values: [organizationId, RESOURCES, cursor, DELETED_TYPES],
  });
  if (rows[0]?.id) return rows[0].id;
  throw invalidCursor(
    "`cursor` names no record that was deleted in the last 30 days, or one that a migration had deleted and that was " +
      "restored since. Read the list from its first page.",
  );
}

/**
 * $1 the organization, $2 the kinds, $3 the deletion of the cursor's record, $4 the limit plus one. The id
 * of a deletion is its time, so the next of each kind are one range of the index. Only the records of the page are
 * parsed for their names.
 */
export const LIST_DELETED = `
  SELECT d.deletion_id, d.resource AS object, d.id, ${DELETED_NAME} AS name, d.ext_id, d.deleted_at,
    d.deleted_at + ${RESTORABLE_INTERVAL} AS until, d.deleted_by_id, d.migration_id
  FROM (
    SELECT found.* FROM unnest($2::text[]) AS wanted (resource) CROSS JOIN LATERAL (
      SELECT * FROM deleted_records
      WHERE organization_id = $1 AND resource = wanted.resource AND NOT is_part AND deletion_id < $3
      ORDER BY deletion_id DESC LIMIT $4) AS found
    ORDER BY deletion_id DESC LIMIT $4) AS d
  WHERE d.deleted_at > now() - ${RESTORABLE_INTERVAL}
  ORDER BY d.deletion_id DESC`;

function shown(
  { deletion_id: _deletion, deleted_at: at, until, ...record }: Row,
  tellsMigration: boolean,
): DeletedRecord {
  const migration_id = tellsMigration ? record.migration_id : null;
  return { ...record, migration_id, deleted_at: at.toISOString(), restorable_until: until.toISOString() };
}
