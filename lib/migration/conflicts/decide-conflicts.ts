import type { MigrationKey } from "@/lib/migration/migration-schema";
import type { PoolClient } from "pg";
import { z } from "zod";

import type { Context } from "@/lib/context";
import { answeringTransaction } from "@/lib/database/transactions";
import { AppError } from "@/lib/errors";
import { idInput, pathId } from "@/lib/input/ids-and-times";
import { escapePointer } from "@/lib/input/parse-input";
import { auditMigration } from "@/lib/migration/audit-migration";
import { givenObject } from "@/lib/migration/configuration/given-configuration";
import { decisions, type Side, side, type Undecided } from "@/lib/migration/conflicts/conflict-schema";
import { type StoredConflict, settleConflicts } from "@/lib/migration/conflicts/settle-conflicts";
import { type Taking, takeSource } from "@/lib/migration/conflicts/take-source";
import { editsOf } from "@/lib/migration/pipeline/load/keep-edited";
import { migrationKey, migrationNotFound } from "@/lib/migration/migration-key";
import { defineOperation } from "@/lib/operation";
import type { ResourceName } from "@/lib/records/schema/resources";
import { countStoredBytes } from "@/lib/storage-quota";

/** How many conflicts one request decides. */
const MAX_CONFLICTS = 500;

/** So many times a request looks for conflicts that can be decided. */
const MAX_BATCHES = 20;

/** How large they may be together: their records are written at once, with an event each. One may always be larger. */
const MAX_BYTES = 8 * 1024 * 1024;

const input = z
  .strictObject({
    migration_id: pathId("migration"),
    ids: z
      .array(idInput("`ids` are ids of conflicts: UUIDs of version 7."))
      .min(1)
      .max(MAX_CONFLICTS)
      .optional()
      .describe("These conflicts."),
    object: givenObject
      .optional()
      .describe(
        `Instead of \`ids\`: the open conflicts of this source object, the oldest first, ${MAX_CONFLICTS} at a time, ` +
          "fewer where records are large. Send the same request again as long as the answer says `has_more`.",
      ),
    take: side.describe("source: the values of Salesforce are stored. ours: the record stays as it is here."),
    fields: z
      .record(z.string().max(300), side)
      .default({})
      .describe("Fields for which the choice differs from `take`, by their names in the conflict."),
  })
  .refine(({ ids, object }) => (ids === undefined) !== (object === undefined), {
    message: "Send either `ids` or `object`.",
  })
  .meta({ anyOf: [{ required: ["ids"] }, { required: ["object"] }] });

type Given = z.infer<typeof input>;

export const decideConflicts = defineOperation({
  name: "decide_migration_conflicts",
  summary:
    "Decide what becomes of records that were edited here and differ in Salesforce: take the values of Salesforce, " +
    "or keep ours, for whole records or field by field. A record that was edited once more since is not overwritten: " +
    "its conflict shows the present values and stays open.",
  scopes: ["crm:write"],
  stores: true,
  input,
  output: decisions,
  async run(context, given) {
    const key = migrationKey(context, given.migration_id);
    let written = 0;
    const answer = await answeringTransaction(context, async (client) => {
      const { bytes, isFull, ...decided } = await decideSome(client, context, key, given);
      written = bytes;
      return { ...decided, has_more: isFull && decided.decided > 0 };
    });
    // Rows and events.
    await countStoredBytes(key.organizationId, 2 * written);
    return answer;
  },
});

/** Goes on until one can be decided: a request that decides none tells the caller to stop. */
async function decideSome(client: PoolClient, context: Context, key: MigrationKey, given: Given) {
  await lockRun(client, key);
  const notDecided: Undecided[] = [];
  for (let batch = 1; ; batch += 1) {
    const { conflicts, isFull } = await findConflicts(
      client,
      key,
      given,
      notDecided.map(({ id }) => id),
    );
    if (batch === 1) assertFields(conflicts, given);
    const found = await decide(client, context, key, given, conflicts);
    notDecided.push(...found.not_decided);
    if (found.decided > 0 || !isFull || batch === MAX_BATCHES) return { ...found, isFull, not_decided: notDecided };
  }
}

async function decide(
  client: PoolClient,
  context: Context,
  key: MigrationKey,
  given: Given,
  conflicts: readonly StoredConflict[],
) {
  const notDecided: Undecided[] = (given.ids ?? []).flatMap((id) =>
    conflicts.some((found) => found.id === id) ? [] : [{ id, code: "not_found" as const, detail: NOT_FOUND }],
  );
  const decided: Taking[] = [];
  const edited: StoredConflict[] = [];
  for (const [resource, some] of Map.groupBy(conflicts, (conflict) => conflict.resource)) {
    const present = await lockAndCountEdits(client, key, resource, some);
    const takings = some.flatMap((conflict): Taking[] => {
      const taking = takingOf(conflict, given);
      const problem = decidedProblem(conflict, given) ?? problemOf(conflict, taking, present);
      if (problem) notDecided.push({ id: conflict.id, ...problem });
      if (problem?.code === "conflict") edited.push(conflict);
      return problem ? [] : [taking];
    });
    const written = takings.filter(({ fields }) => fields.length > 0);
    const refused = await takeSource(client, key, resource, written);
    for (const [id, reason] of refused) notDecided.push({ id, code: "not_storable", detail: notStorable(reason) });
    decided.push(...takings.filter(({ id }) => !refused.has(id)));
  }
  await settleConflicts(client, context, key, { decided, edited, tried: notDecided });
  if (decided.length > 0) await audit(client, context, given, decided.length);
  const taken = new Set(decided.filter(({ fields }) => fields.length > 0).map(({ id }) => id));
  const bytes = conflicts.reduce((sum, conflict) => sum + (taken.has(conflict.id) ? conflict.bytes : 0), 0);
  return { bytes, decided: decided.length, not_decided: notDecided };
}

const NOT_FOUND = "There is no such conflict of this migration, or a later run has not found it again.";

const NOTHING_TO_DECIDE = new Set(["analyzing", "analysis_failed", "undoing", "undone"]);

/**
 * Locks the migration and its progress. So neither a page of a run nor another decision comes in between, and no undo
 * begins.
 */
async function lockRun(client: PoolClient, { organizationId, migrationId }: MigrationKey): Promise<void> {
  const { rows } = await client.query<{ status: string }>(
    "SELECT status FROM migrations WHERE organization_id = $1 AND id = $2 FOR SHARE",
    [organizationId, migrationId],
  );
  const status = rows[0]?.status;
  if (status === undefined) throw migrationNotFound();
  if (NOTHING_TO_DECIDE.has(status))
    throw new AppError("illegal_state", `The migration has the status \`${status}\`, so there is nothing to decide.`);
  await client.query(
    `SELECT FROM migration_objects WHERE organization_id = $1 AND migration_id = $2 ORDER BY object FOR NO KEY UPDATE`,
    [organizationId, migrationId],
  );
}

/**
 * The next conflicts, without those that have been tried. `isFull`: there may be more than one request
 * decides. Throws `payload_too_large` if too many are named.
 */
async function findConflicts(
  client: PoolClient,
  { organizationId, migrationId }: MigrationKey,
  { ids, object }: Given,
  tried: readonly string[],
): Promise<{ conflicts: StoredConflict[]; isFull: boolean }> {
  const { rows } = await client.query<StoredConflict>(
    `SELECT id, object, resource, record_id, ext_id, edits,
       octet_length(source::text) + octet_length(ours::text) AS bytes,
       ARRAY(SELECT jsonb_object_keys(ours)) AS fields, ARRAY(SELECT field FROM jsonb_object_keys(ours) AS field
         WHERE taken ->> field IS DISTINCT FROM 'source' ORDER BY field) AS pending
     FROM migration_conflicts
     WHERE organization_id = $1 AND migration_id = $2 AND ($3::uuid[] IS NULL OR id = ANY ($3))
       AND ($4::text IS NULL OR object = $4 AND state = 'open')
       AND NOT id = ANY ($5::uuid[])
     ORDER BY created_at, id LIMIT ${MAX_CONFLICTS}`,
    [organizationId, migrationId, ids ?? null, object ?? null, tried],
  );
  let bytes = 0;
  const fits = rows.findIndex((row, index) => (bytes += row.bytes) > MAX_BYTES && index > 0);
  if (fits > 0 && ids)
    throw new AppError("payload_too_large", "These records have more than 8 MiB together. Send fewer ids at once.");
  return {
    conflicts: fits > 0 ? rows.slice(0, fits) : rows,
    isFull: ids === undefined && (fits > 0 || rows.length === MAX_CONFLICTS),
  };
}

/** Asserts that each named field differs in one of the conflicts: a misspelled one would be decided wrongly. */
function assertFields(conflicts: readonly StoredConflict[], { fields }: Given): void {
  const known = new Set(conflicts.flatMap(({ fields: differing }) => differing));
  const unknown = conflicts.length > 0 ? Object.keys(fields).filter((field) => !known.has(field)) : [];
  if (unknown.length === 0) return;
  const errors = unknown.map((field) => ({
    pointer: `/fields/${escapePointer(field)}`,
    code: "unknown_field" as const,
    detail: `\`${field}\` differs in none of these records.`,
  }));
  throw new AppError("invalid_request", "Some of the fields do not differ; see `errors`.", { errors });
}

/** Locks records. Returns how often each has been edited since its last import. */
async function lockAndCountEdits(
  client: PoolClient,
  { organizationId }: MigrationKey,
  resource: ResourceName,
  conflicts: readonly StoredConflict[],
): Promise<Map<string, number>> {
  const { rows } = await client.query<{ id: string; edits: number }>(
    `SELECT r.id, ${editsOf("r")} AS edits FROM ${resource} AS r WHERE organization_id = $1 AND id = ANY ($2::uuid[])
     ORDER BY id FOR NO KEY UPDATE`,
    [organizationId, conflicts.map(({ record_id: recordId }) => recordId)],
  );
  return new Map(rows.map(({ id, edits }) => [id, edits]));
}

function takingOf({ id, ext_id, pending }: StoredConflict, { take, fields: chosen }: Given): Taking {
  const sideOf = (field: string): Side => (Object.hasOwn(chosen, field) ? (chosen[field] ?? take) : take);
  const fields = pending.filter((field) => sideOf(field) === "source");
  return { id, ext_id, fields, whole: fields.length === pending.length };
}

/** What somebody else has decided meanwhile: a value of Salesforce that was taken cannot be ours again. */
function decidedProblem({ fields, pending }: StoredConflict, { fields: chosen }: Given): Omit<Undecided, "id"> | null {
  if (pending.length === 0) return { code: "decided", detail: "Salesforce's values have been taken already." };
  const taken = fields.filter((field) => chosen[field] === "ours" && !pending.includes(field));
  if (taken.length === 0) return null;
  return { code: "decided", detail: `Salesforce's value of \`${taken.join("`, `")}\` has been taken already.` };
}

function problemOf(
  { edits, record_id }: StoredConflict,
  { fields }: Taking,
  present: ReadonlyMap<string, number>,
): Omit<Undecided, "id"> | null {
  if (fields.length === 0) return null;
  if (!present.has(record_id)) return { code: "not_found", detail: "The record was deleted here." };
  if (present.get(record_id) === edits) return null;
  const detail =
    "Somebody has edited the record once more, so it was not overwritten. The conflict shows its present values now; " +
    "decide again.";
  return { code: "conflict", detail };
}

function notStorable(reason: string): string {
  return `The database could not store Salesforce's values: ${reason}. Run the migration again, or keep ours.`;
}

function audit(client: PoolClient, context: Context, given: Given, records: number): Promise<void> {
  const { migration_id: migrationId, take, object, fields } = given;
  const key = { organizationId: context.organizationId, migrationId };
  const details = { take, records, ...(object && { object }), fields: Object.keys(fields).slice(0, 100) };
  return auditMigration(client, key, "migration.conflicts_decided", context, details);
}
