import { isDeepStrictEqual } from "node:util";

import type { PoolClient } from "pg";

import type { Context } from "@/lib/context";
import { retriedTransaction } from "@/lib/database/db";
import {
  assertReferences,
  assertNoCycles,
  type PrefixOf,
  assertWritable,
  atRoot,
} from "@/lib/records/write/write-rules";
import { JsonText } from "@/lib/operation";
import { assertRecordId } from "@/lib/records/get-record";
import type { Entity, ExtraEvent } from "@/lib/records/schema/entity";
import type { Values } from "@/lib/records/schema/write-input";
import { type StageChange, stageChange } from "@/lib/records/stage-history";
import { deriveFields, reissueFields } from "@/lib/records/write/service-fields";
import { type LockedRecord, lockForChange, lockRecord } from "@/lib/records/write/lock-records";
import { type RecordEvent, type StoredRecord, updateRecords } from "@/lib/records/write/store-records";

/**
 * Changes fields of one record and emits its events. A value that equals the present one changes nothing: neither
 * version nor event. Throws `not_found`, `precondition_failed`, `invalid_request` for references that lead nowhere, and
 * `conflict` for values that another record has.
 */
export async function updateRecord(entity: Entity, context: Context, id: string, given: Values): Promise<JsonText> {
  assertRecordId(entity, id);
  return retriedTransaction(async (client) => {
    const before = await lockRecord(client, entity, context, id, lockForChange(entity, [given]));
    const [after] = await changeRecords(client, entity, context, [{ before, given }]);
    return new JsonText(after?.json ?? before.json);
  });
}

export interface RecordChange {
  before: LockedRecord;
  given: Values;
}

/**
 * Changes records that the caller has locked, and returns each as it is then, in the same order. Throws as {@link
 * updateRecord}, except `not_found` and `precondition_failed`.
 */
export async function changeRecords(
  client: PoolClient,
  entity: Entity,
  context: Context,
  changes: readonly RecordChange[],
  prefixOf: PrefixOf = atRoot,
): Promise<StoredRecord[]> {
  const now = new Date().toISOString();
  const different = changes.map(({ before, given }) =>
    changedValues(deriveFields(entity.resource, { given, before: before.values, now }), before.values),
  );
  const writes = changes.map(({ before, given }, index) => ({
    id: before.id,
    given,
    values: different[index] ?? {},
    before: before.values,
  }));
  assertWritable(entity, writes, prefixOf);
  await assertReferences(client, entity, context, different, prefixOf);
  await assertNoCycles(client, entity, context.organizationId, writes, prefixOf);
  const changed = await reissueFields(client, context, entity.resource, different);
  const rows = changes.flatMap(({ before }, index) => {
    const values = changed[index] ?? {};
    return isEmpty(values) ? [] : [{ ...values, id: before.id, version: before.values.version + 1, updated_at: now }];
  });
  const events = changes.flatMap(({ before }, index) => {
    const values = changed[index] ?? {};
    const move = stageChange(entity, context, { from: before.values.stage, to: values.stage });
    return eventsOf(entity, before, values, move);
  });
  const stored = await updateRecords(client, context, entity, rows, events);
  const byId = new Map(stored.map((record) => [record.id, record]));
  return changes.map(({ before }) => byId.get(before.id) ?? before);
}

/** The values that differ from the present ones. */
function changedValues(values: Values, before: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => !isSame(value, before[name])));
}

/** Zero is stored without its sign, also within custom fields. */
function isSame(value: unknown, before: unknown): boolean {
  if (typeof value === "number") return value === before;
  return (
    isDeepStrictEqual(value, before) ||
    (typeof value === "object" && isDeepStrictEqual(JSON.parse(JSON.stringify(value)), before))
  );
}

function eventsOf(
  { extraEvent }: Entity,
  before: LockedRecord,
  changed: Values,
  move: StageChange | null,
): RecordEvent[] {
  if (isEmpty(changed)) return [];
  const previous = Object.fromEntries(Object.keys(changed).map((name) => [name, before.values[name]]));
  const change = { recordId: before.id, previous };
  const updated = { action: "updated", ...change, stageChange: move };
  return extraEvent && emitsExtra(extraEvent, changed)
    ? [updated, { action: extraEvent.action, ...change }]
    : [updated];
}

function emitsExtra({ field, value }: ExtraEvent, changed: Values): boolean {
  return field in changed && (value === undefined || changed[field] === value);
}

function isEmpty(values: Values): boolean {
  return Object.keys(values).length === 0;
}
