import { isDeepStrictEqual } from "node:util";

import type { PoolClient } from "pg";

import type { Context } from "@/lib/context";
import { retriedTransaction } from "@/lib/database/retried-transaction";
import { isId } from "@/lib/ids";
import { JsonText } from "@/lib/operation";
import { assertPreconditions } from "@/lib/preconditions";
import { noSuchRecord } from "@/lib/records/get-record";
import type { Entity } from "@/lib/records/schema/entity";
import type { Values } from "@/lib/records/schema/write-input";
import { recordStageChanges } from "@/lib/records/stage-history";
import { deriveFields } from "@/lib/records/write/derive-fields";
import { reissueFields } from "@/lib/records/write/issue-fields";
import { type LockedRecord, lockForChange, lockRecords } from "@/lib/records/write/lock-records";
import { assertReferences, assertNoCycles } from "@/lib/records/write/reference-rules";
import { type RecordEvent, type StoredRecord, updateRecords, explainConflict } from "@/lib/records/write/store-records";
import { assertNotConverted, assertCustomFieldsFit, assertNotReserved } from "@/lib/records/write/write-rules";

/**
 * Changes fields of one record, its events with it. What is given but is so already changes nothing: neither version
 * nor event. Throws `not_found`, `precondition_failed`, `invalid_request` for references that lead nowhere, `conflict`
 * for values that another record has.
 */
export async function updateRecord(entity: Entity, context: Context, id: string, given: Values): Promise<JsonText> {
  if (!isId(id)) throw noSuchRecord(entity);
  return retriedTransaction(async (client) => {
    const [before] = await lockRecords(client, entity, context.organizationId, [id], lockForChange(entity, [given]));
    if (!before) throw noSuchRecord(entity);
    assertPreconditions(context.preconditions, { id, version: before.values.version });
    const [after] = await changeRecords(client, entity, context, [{ before, given }]);
    return new JsonText(after?.json ?? before.json);
  });
}

export interface RecordChange {
  before: LockedRecord;
  given: Values;
  /** What is told beside `updated`, when an action makes the change: "escalated". */
  action?: string;
}

/**
 * Changes records that the caller has locked, and gives each as it is then, in the same order. Throws as {@link
 * updateRecord}.
 */
export async function changeRecords(
  client: PoolClient,
  entity: Entity,
  context: Context,
  changes: readonly RecordChange[],
  prefixOf?: (index: number) => string,
): Promise<StoredRecord[]> {
  const now = new Date().toISOString();
  assertNotReserved(
    entity.resource,
    changes.map(({ before, given }) => ({ before: before.values, given })),
    prefixOf,
  );
  const different = changes.map(({ before, given }) =>
    changedValues(deriveFields(entity.resource, { given, before: before.values, now }), before.values),
  );
  const wanted = changes.map(({ before }, index) => ({
    id: before.id,
    before: before.values,
    values: different[index] ?? {},
  }));
  assertCustomFieldsFit(wanted, prefixOf);
  wanted.forEach(({ before, values }, index) => {
    if (!isEmpty(values)) assertNotConverted(entity.resource, before, prefixOf?.(index) ?? "");
  });
  await assertReferences(client, entity, context.organizationId, different, prefixOf);
  await assertNoCycles(client, entity, context.organizationId, wanted, prefixOf);
  const changed = await reissueFields(client, context, entity.resource, different);
  const rows = changes.flatMap(({ before }, index) => {
    const values = changed[index] ?? {};
    return isEmpty(values) ? [] : [{ ...values, id: before.id, version: before.values.version + 1, updated_at: now }];
  });
  const events = changes.flatMap(({ before, action }, index) => eventsOf(before, changed[index] ?? {}, action));
  const stored = await updateRecords(client, context, entity, rows, events).catch((error: unknown) => {
    throw explainConflict(error, entity, rows);
  });
  const moves = changes.map(({ before }, index) => ({
    id: before.id,
    from: before.values.stage,
    to: changed[index]?.stage,
  }));
  await recordStageChanges(client, entity, context, moves);
  const byId = new Map(stored.map((record) => [record.id, record]));
  return changes.map(({ before }) => byId.get(before.id) ?? before);
}

/** The values that are not so already. */
function changedValues(values: Values, before: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => !isSame(value, before[name])));
}

/** Zero is stored without its sign, also within a custom field. */
function isSame(value: unknown, before: unknown): boolean {
  if (typeof value === "number") return value === before;
  return (
    isDeepStrictEqual(value, before) ||
    (typeof value === "object" && isDeepStrictEqual(JSON.parse(JSON.stringify(value)), before))
  );
}

function eventsOf(
  before: LockedRecord,
  changed: Values,
  action = "stage" in changed ? "stage_changed" : undefined,
): RecordEvent[] {
  if (isEmpty(changed)) return [];
  const previous = Object.fromEntries(Object.keys(changed).map((name) => [name, before.values[name]]));
  const updated = { action: "updated", recordId: before.id, previous };
  return action === undefined ? [updated] : [updated, { ...updated, action }];
}

function isEmpty(values: Values): boolean {
  return Object.keys(values).length === 0;
}
