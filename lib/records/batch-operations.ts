import { z } from "zod";

import { defineOperation, type Operation } from "@/lib/operation";
import { batchItemInput } from "@/lib/records/batch-items";
import { BATCH_MODES, batchRecords } from "@/lib/records/batch-records";
import type { Entity } from "@/lib/records/entity";
import { ENTITIES } from "@/lib/records/registry";
import type { ResourceName } from "@/lib/records/resources";

const MOST_ITEMS = 200;
const COUNT_FAULT = `A batch has 1 to ${MOST_ITEMS} items.`;

const fault = z.object({ pointer: z.string(), code: z.string(), detail: z.string() });

function declareBatch(entity: Entity) {
  const plural = entity.resource.replaceAll("_", " ");
  return defineOperation({
    name: `batch_${entity.resource}`,
    summary: `Create, change and upsert up to ${MOST_ITEMS} ${plural} at once.`,
    scopes: ["crm:write"],
    stores: true,
    input: z.strictObject({
      mode: z
        .enum(BATCH_MODES, { error: "`mode` is all_or_nothing or per_item." })
        .describe("all_or_nothing: one item that fails undoes all, and the answer is its problem. per_item: the others are carried out."),
      items: z.array(batchItemInput(entity)).min(1, COUNT_FAULT).max(MOST_ITEMS, COUNT_FAULT),
    }),
    output: z.object({
      results: z
        .array(
          z.union([
            z.object({ status: z.enum(["created", "updated", "unchanged"]), record: entity.output }),
            z.object({ status: z.literal("failed"), problem: z.object({ code: z.string(), detail: z.string(), errors: z.array(fault) }) }),
          ]),
        )
        .describe("One result per item, in their order."),
    }),
    run: (context, { mode, items }) => batchRecords(entity, context, mode, items),
  });
}

const batches = new Map(Object.values<Entity>(ENTITIES).map((entity) => [entity.resource, declareBatch(entity)]));

/** The operation that writes many records of a resource at once. */
export function batchOperation(resource: ResourceName): Operation {
  return batches.get(resource) as unknown as Operation;
}
