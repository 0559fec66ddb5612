import type { PoolClient } from "pg";

import { answeringTransaction } from "@/lib/database/transactions";
import type { Context } from "@/lib/context";
import { assertReferences, type PrefixOf, assertWritable, atRoot } from "@/lib/records/write/write-rules";
import { newId, timeOf } from "@/lib/ids";
import { JsonText } from "@/lib/operation";
import type { Entity } from "@/lib/records/schema/entity";
import { defaultsOf, type Values } from "@/lib/records/schema/write-input";
import { stageChange } from "@/lib/records/stage-history";
import { deriveFields, issueFields } from "@/lib/records/write/service-fields";
import { insertRecords, type StoredRecord } from "@/lib/records/write/store-records";

/**
 * Creates one record and emits its event. The caller owns the record unless an owner is given. Throws `invalid_request`
 * for references that lead nowhere, and `conflict` for values that another record has.
 */
export function createRecord(entity: Entity, context: Context, given: Values): Promise<JsonText> {
  const isLast = context.keepAnswer === undefined;
  return answeringTransaction(context, async (client) => {
    const [created] = await createRecords(client, entity, context, [given], { isLast });
    return new JsonText(created?.json ?? "null");
  });
}

/**
 * Creates records within the caller's transaction, in the order of `given`. `isLast`: the caller does nothing else in
 * it. Throws as {@link createRecord}.
 */
export async function createRecords(
  client: PoolClient,
  entity: Entity,
  context: Context,
  given: readonly Values[],
  { prefixOf = atRoot, isLast = false }: { prefixOf?: PrefixOf; isLast?: boolean } = {},
): Promise<StoredRecord[]> {
  const records = given.map((values) => newRecord(entity, context, values));
  const writes = given.map((values, index) => ({ given: values, values: records[index] ?? {}, before: null }));
  assertWritable(entity, writes, prefixOf);
  await assertReferences(client, entity, context, records, prefixOf);
  const complete = await issueFields(client, context, entity.resource, records);
  const events = complete.map(({ id, stage }) => ({
    action: "created",
    recordId: id as string,
    previous: null,
    stageChange: stageChange(entity, context, { from: null, to: stage }),
  }));
  return insertRecords(client, context, entity, complete, events, { isLast });
}

function newRecord(entity: Entity, { userId }: Context, given: Values): Values {
  const id = newId();
  const now = timeOf(id).toISOString();
  const values = deriveFields(entity.resource, { given, before: null, now });
  return { ...defaultsOf(entity), owner_id: userId, ...values, id, created_at: now, updated_at: now };
}
