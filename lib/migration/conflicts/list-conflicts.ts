import { z } from "zod";

import { pool } from "@/lib/database/db";
import { isoText } from "@/lib/database/iso-text";
import { MAX_UUID } from "@/lib/ids";
import { pathId } from "@/lib/input/ids-and-times";
import { cutPage, pageInput, pageOutput } from "@/lib/input/page";
import { givenObject } from "@/lib/migration/configuration/given-configuration";
import { type Conflict, conflict, CONFLICT_STATES } from "@/lib/migration/conflicts/conflict-schema";
import { findMigration } from "@/lib/migration/find-migration";
import { selectName } from "@/lib/migration/select-name";
import { defineOperation } from "@/lib/operation";
import { MAX_PAGE_BYTES } from "@/lib/records/schema/record-sql";

/** `found`: how many conflicts the page would have without a limit of its size. */
type Row = Conflict & { found: number };

/** Custom fields may be large, so a page ends early. $6: one more than its limit. */
const FIND = `
  WITH sized AS (
    SELECT c.*, count(*) OVER ()::int AS found, row_number() OVER newest AS number,
      sum(octet_length(c.ours::text) + octet_length(c.source::text)) OVER newest AS bytes
    FROM (
      SELECT * FROM migration_conflicts
      WHERE organization_id = $1 AND migration_id = $2 AND id < $3
        AND ($4::text IS NULL OR object = $4) AND ($5::migration_conflict_state IS NULL OR state = $5)
      ORDER BY id DESC LIMIT $6
    ) AS c
    WINDOW newest AS (ORDER BY c.id DESC)
  )
  SELECT id, object, resource, record_id, ext_id, ${selectName("sized")} AS name, state,
    ${isoText("created_at")} AS created_at, ${isoText("decided_at")} AS decided_at, decided_by_id, found,
    (SELECT coalesce(json_agg(json_build_object('field', key, 'ours', value, 'source', source -> key,
       'taken', taken ->> key) ORDER BY key), '[]') FROM jsonb_each(ours)) AS fields
  FROM sized WHERE number = 1 OR bytes <= ${MAX_PAGE_BYTES} ORDER BY id DESC`;

export const listConflicts = defineOperation({
  name: "list_migration_conflicts",
  summary:
    "List the records that somebody edited here since their last import and that differ in Salesforce, with both " +
    "values of each field, by when they were first found, the latest first. They stay as they are until somebody " +
    "decides.",
  scopes: ["crm:read"],
  input: z.strictObject({
    ...pageInput,
    migration_id: pathId("migration"),
    object: givenObject.optional().describe("Records of this source object only."),
    state: z.enum(CONFLICT_STATES).optional().describe("open: nobody has decided yet. decided: somebody has."),
  }),
  output: pageOutput(conflict),
  async run({ organizationId }, { migration_id, limit, cursor, object, state }) {
    await findMigration(organizationId, migration_id);
    const { rows } = await pool().query<Row>(FIND, [
      organizationId,
      migration_id,
      cursor ?? MAX_UUID,
      object ?? null,
      state ?? null,
      limit + 1,
    ]);
    const isCut = rows.length < (rows[0]?.found ?? 0);
    const page = isCut
      ? { data: rows, has_more: true, next_cursor: rows.at(-1)?.id ?? null }
      : cutPage(rows, limit, ({ id }) => id);
    return { ...page, data: page.data.map(({ found: _found, ...conflict }) => conflict) };
  },
});
