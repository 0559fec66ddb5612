import { z } from "zod";

import type { Context } from "@/lib/context";
import { retriedTransaction } from "@/lib/database/db";
import { defineOperation, type Operation, JsonText } from "@/lib/operation";
import { withoutPointerPrefix } from "@/lib/records/batch/item-refusals";
import { writeItems } from "@/lib/records/batch/write-items";
import { getByExtId } from "@/lib/records/get-record";
import type { Entity } from "@/lib/records/schema/entity";
import { perResource } from "@/lib/records/schema/registry";
import { assertMayExpand, viewInput, viewOutput } from "@/lib/records/schema/view";
import { extIdInput, upsertInput, type Values } from "@/lib/records/schema/write-input";
import { recordOutput } from "@/lib/records/schema/field-schema";

function declareUpsert(entity: Entity) {
  return defineOperation({
    name: `upsert_${entity.singular}`,
    summary:
      `Change the ${entity.label} that has an external id, or create it. Fields that are needed to create one must ` +
      "be there if it is new.",
    scopes: ["crm:write"],
    stores: true,
    conditional: true,
    createsIn: entity.resource,
    input: upsertInput(entity).extend({ ext_id: extIdInput }),
    output: recordOutput(entity),
    run: (context, { ext_id, ...given }) => upsertRecord(entity, context, ext_id, given),
  });
}

function declareGet(entity: Entity) {
  return defineOperation({
    name: `get_${entity.singular}_by_ext_id`,
    summary: `Get the ${entity.label} that has an external id.`,
    scopes: entity.readScopes,
    // Not checked: in a path, a text that cannot be an external id is 404 like an unknown one.
    input: z.strictObject({
      ext_id: z.string().describe("The external id: the record's id in another system."),
      ...viewInput(entity),
    }),
    output: viewOutput(entity),
    run: (context, { ext_id, ...view }) => {
      if (view.expand) assertMayExpand(context, view.expand);
      return getByExtId(entity, context.organizationId, ext_id, view);
    },
  });
}

/** The operation that changes the record with an external id, or creates it. */
export const upsertOperation = perResource<Operation>(declareUpsert);

/** The operation that gets the record with an external id. It throws `not_found`. */
export const getByExtIdOperation = perResource<Operation>(declareGet);

/**
 * Changes the record with an external id, or creates it: a batch of one. Of two concurrent upserts, one creates the
 * record and the other changes it. A deleted record is not restored; a new one takes its place. Throws as creating and
 * changing do, and `precondition_failed`.
 */
function upsertRecord(entity: Entity, context: Context, extId: string, given: Values): Promise<JsonText> {
  return retriedTransaction(async (client) => {
    const [outcome] = await writeItems({ client, entity, context }, [{ action: "upsert", ext_id: extId, data: given }]);
    if (!outcome) throw new Error("An upsert has no outcome.");
    if (outcome.status === "failed") throw withoutPointerPrefix("/data", outcome.error);
    return new JsonText(outcome.json, { isNew: outcome.status === "created" });
  });
}
