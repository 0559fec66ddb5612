import type { DatabaseError, PoolClient, QueryConfig } from "pg";

import type { Context } from "@/lib/context";
import { afterCommit, type Last } from "@/lib/database/db";
import { FAN_OUT, QUEUED_WEBHOOKS } from "@/lib/webhooks/fan-out";
import { enqueueAfterCommit } from "@/lib/webhooks/sending/enqueue-drain";
import { postgresCode, UNIQUE_VIOLATION } from "@/lib/database/error-codes";
import { AppError, type Fault } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { truncateName } from "@/lib/input/suggest";
import type { Entity } from "@/lib/records/schema/entity";
import { columnsOf, PROVENANCE, selectList } from "@/lib/records/schema/record-sql";
import type { Values } from "@/lib/records/schema/write-input";
import { STAGE_CHANGES, type StageChange } from "@/lib/records/stage-history";
import { countStoredBytes } from "@/lib/storage-quota";

export interface RecordEvent {
  /** "created", "stage_changed". */
  action: string;
  recordId: string;
  /** The previous values of the fields that changed; null for a new record. */
  previous: Values | null;
  /** Stored with the event that tells of it first. */
  stageChange?: StageChange | null;
}

/** A record in the form of the API: JSON written by PostgreSQL. */
export interface StoredRecord {
  id: string;
  json: string;
}

/**
 * Writes rows, their events, deliveries and changes of stages in one statement, so that these cost no further round
 * trip. $3: the events.
 */
function withEmittedEvents(entity: Entity, written: string): string {
  const history = entity.resource === "opportunities" ? `, ${STAGE_CHANGES}` : "";
  return `WITH written AS (${written}),
    shaped AS (SELECT id, row_to_json(record) AS json FROM (SELECT ${selectList(entity)} FROM written) AS record),
    emitted AS (
      INSERT INTO events (organization_id, id, created_at, type, record_id, object, previous)
      SELECT $1, e.event_id, now(), '${entity.singular}.' || e.action, shaped.id, shaped.json::jsonb, e.previous
      FROM jsonb_to_recordset($3::jsonb) AS e (event_id uuid, record_id uuid, action text, previous jsonb)
        JOIN shaped ON shaped.id = e.record_id
      RETURNING organization_id, id, tx, type
    ), ${FAN_OUT}${history}
  SELECT id, json::text, ${QUEUED_WEBHOOKS} AS webhooks FROM shaped`;
}

function insertText(entity: Entity): string {
  const columns = [...columnsOf(entity).map(({ name }) => name), ...PROVENANCE].map((name) => `"${name}"`).join(", ");
  const rows = `jsonb_populate_recordset(NULL::${entity.resource}, $2::jsonb)`;
  return withEmittedEvents(
    entity,
    `INSERT INTO ${entity.resource} (organization_id, ${columns}) SELECT $1::uuid, ${columns} FROM ${rows} RETURNING *`,
  );
}

/**
 * Changes rows; a field that is not among a row's changes keeps its value, because `jsonb_populate_record` starts from
 * the stored row. Rows are looked up as in {@link lookupEach} and changed by their ctid, which is safe because the
 * caller has locked them.
 */
export function updateText(entity: Entity): string {
  const names = columnsOf(entity).flatMap(({ name }) => (name === "id" ? [] : [`"${name}"`]));
  const id = "(change ->> 'id')::uuid";
  const located = `SELECT ctid FROM ${entity.resource} WHERE organization_id = $1 AND id BETWEEN ${id} AND ${id}
    ORDER BY id LIMIT 1`;
  const changed = `SELECT ${names.map((name) => `populated.${name}`).join(", ")}
    FROM jsonb_populate_record(t, change) AS populated`;
  return withEmittedEvents(
    entity,
    `UPDATE ${entity.resource} AS t SET (${names.join(", ")}) = (${changed})
      FROM jsonb_array_elements($2::jsonb) AS change CROSS JOIN LATERAL (${located}) AS found
      WHERE t.organization_id = $1 AND t.ctid = found.ctid RETURNING t.*`,
  );
}

/** SQL: raises the version for what is no edit: a record that nobody had edited since its import stays so. */
export const RAISE_UNEDITED = `version = version + 1,
  imported_version = CASE WHEN imported_version = version THEN version + 1 ELSE imported_version END`;

/**
 * SQL: {@link RAISE_UNEDITED} for what follows from a deletion or its restoring. The content no longer follows from the
 * source alone.
 */
export const RAISE_VERSION = `${RAISE_UNEDITED}, updated_at = now(), source_digest = NULL`;

/** {@link RAISE_VERSION} for a row as JSON. An edit leaves `imported_version` behind. */
export function raisedVersion({ version, imported_version: imported }: Values, isEdit: boolean): Values {
  const next = (version as number) + 1;
  const isUnedited = imported === version && !isEdit;
  return { version: next, imported_version: isUnedited ? next : (imported ?? null), source_digest: null };
}

/** Inserts whole records, each with its id, and emits their events. Returns them in the order of `records`. */
export function insertRecords(
  client: PoolClient,
  context: Pick<Context, "organizationId">,
  entity: Entity,
  records: readonly Values[],
  events: readonly RecordEvent[],
  { isLast }: Last = { isLast: false },
) {
  // It looks nothing up, so one plan serves one record and many. Planning again takes a tenth of the time of a hundred.
  const statement = { name: `insert ${entity.resource}`, text: insertText(entity), isLast };
  return write(client, statement, context, entity, records, events);
}

/**
 * Changes records that the caller has locked, by their ids, each with the fields that change, and emits their events.
 * Returns them in the order of `changes`.
 */
export function updateRecords(
  client: PoolClient,
  context: Context,
  entity: Entity,
  changes: readonly Values[],
  events: readonly RecordEvent[],
) {
  // As in lockRecords: a plan that was made for a tiny table must not serve many records.
  const name = changes.length === 1 ? { name: `update ${entity.resource}` } : {};
  return write(client, { ...name, text: updateText(entity) }, context, entity, changes, events);
}

async function write(
  client: PoolClient,
  statement: Pick<QueryConfig, "name" | "text"> & Partial<Last>,
  { organizationId }: Pick<Context, "organizationId">,
  entity: Entity,
  records: readonly Values[],
  events: readonly RecordEvent[],
): Promise<StoredRecord[]> {
  const eventRows = events.map(({ recordId, stageChange = null, ...event }) => ({
    event_id: newId(),
    record_id: recordId,
    ...event,
    stage_change: stageChange,
  }));
  const values = [organizationId, JSON.stringify(records), JSON.stringify(eventRows)];
  const { rows } = await client
    .query<StoredRecord & { webhooks: string[] }>({ ...statement, values })
    .catch((error: unknown) => {
      throw explainConflict(error, entity, records);
    });
  const written = rows.reduce((sum, { json }) => sum + json.length, 0);
  // A record is stored once in its table and once in its event.
  afterCommit(client, () => countStoredBytes(organizationId, 2 * written));
  enqueueAfterCommit(client, organizationId, rows[0]?.webhooks ?? []);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return records.flatMap((record) => byId.get(record.id as string) ?? []);
}

/**
 * Turns the violation of a unique value into `conflict` with a pointer. Returns other errors unchanged. With row-level
 * security PostgreSQL does not report the value, so it is named only where exactly one of `records` sets the field.
 */
function explainConflict(error: unknown, entity: Entity, records: readonly Values[]): unknown {
  if (postgresCode(error) !== UNIQUE_VIOLATION) return error;
  const { constraint } = error as DatabaseError;
  const field = Object.keys(entity.fields).find(
    (name) => constraint === `${entity.resource}_organization_id_${name}_key`,
  );
  if (!field) return error;
  const values = records.flatMap((record) => record[field] ?? []);
  const named = values.length === 1 ? ` \`${truncateName(String(values[0]))}\`` : "";
  const taken = `Another ${entity.label} has the \`${field}\`${named}`;
  const fault: Fault = { pointer: `/${field}`, code: "taken", detail: `${taken}.` };
  return new AppError("conflict", `${taken}, which must be unique.`, { errors: [fault], cause: error });
}
