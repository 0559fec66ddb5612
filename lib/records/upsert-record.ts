import type { Context } from "@/lib/context";
import { JsonText } from "@/lib/operation";
import { movedAbove } from "@/lib/records/batch-refusals";
import { writeItems } from "@/lib/records/batch-write";
import type { Entity } from "@/lib/records/entity";
import type { Values } from "@/lib/records/write-input";
import { retriedTransaction } from "@/lib/retried-transaction";

/**
 * Changes the record that has an external id, or creates it: a batch of one. Of two at once one creates the record and the other changes it. A
 * deleted record is not revived: a new one takes its place. Throws as creating and changing do, and `precondition_failed`.
 */
export function upsertRecord(entity: Entity, context: Context, extId: string, given: Values): Promise<JsonText> {
  return retriedTransaction(async (client) => {
    const [outcome] = await writeItems({ client, entity, context }, [{ action: "upsert", ext_id: extId, data: given }]);
    if (!outcome) throw new Error("An upsert has no outcome.");
    if (outcome.status === "failed") throw movedAbove("/data", outcome.error);
    return new JsonText(outcome.json, outcome.status === "created");
  });
}
