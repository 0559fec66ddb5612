import { z } from "zod";

import { answeringTransaction } from "@/lib/database/transactions";
import type { Context } from "@/lib/context";
import { AppError, MAX_FAULTS } from "@/lib/errors";
import { MAX_BATCH_ITEMS } from "@/lib/input/limits";
import { boundedSuggest } from "@/lib/input/suggest";
import { JsonText, defineOperation, type Operation } from "@/lib/operation";
import { type GivenItem, readItem, batchItemInput } from "@/lib/records/batch/batch-items";
import { assertTargetsFit } from "@/lib/records/batch/batch-targets";
import { faultsOf, joinRefusals } from "@/lib/records/batch/item-refusals";
import { type Outcome, writeItems } from "@/lib/records/batch/write-items";
import type { Entity } from "@/lib/records/schema/entity";
import { perResource } from "@/lib/records/schema/registry";
import { recordOutput } from "@/lib/records/schema/field-schema";

/** Whether one failed item undoes all others. */
const BATCH_MODES = ["all_or_nothing", "per_item"] as const;

type BatchMode = (typeof BATCH_MODES)[number];

/**
 * Creates, changes and upserts records in one transaction. Returns JSON with a result per item, in their order. Throws
 * `payload_too_large` where the response would be too large, and in the mode `all_or_nothing` `invalid_request` or
 * `conflict` with the faults of every item (`/items/3/data/name`) when one fails. Valid items are written even when
 * another cannot be read, so that their faults are reported too.
 */
function batchRecords(
  entity: Entity,
  context: Context,
  mode: BatchMode,
  given: readonly GivenItem[],
): Promise<JsonText> {
  const suggest = boundedSuggest();
  const read = withoutRepeats(given.map((item) => readItem(entity, item, suggest)));
  const items = read.flatMap((each) => ("item" in each ? [each.item] : []));
  return answeringTransaction(context, async (client) => {
    await assertTargetsFit(client, entity, context.organizationId, items);
    const written = (await writeItems({ client, entity, context }, items)).values();
    const outcomes = read.map((each): Outcome =>
      "error" in each ? { status: "failed", error: each.error } : (written.next().value as Outcome),
    );
    const failed = outcomes.flatMap((outcome, index) =>
      outcome.status === "failed" ? [{ index, error: outcome.error }] : [],
    );
    if (mode === "all_or_nothing" && failed.length > 0) throw joinRefusals(failed);
    return new JsonText(`{"results":[${resultsOf(outcomes).join(",")}]}`);
  });
}

type ReadItem = ReturnType<typeof readItem>;

/**
 * Refuses repeated records. Each repeat would return the record again: two hundred repeats of a large one turned a
 * short request into a response of 184 MB.
 */
function withoutRepeats(items: readonly ReadItem[]): ReadItem[] {
  const firsts = new Map<string, number>();
  return items.map((each, index) => {
    if ("error" in each || each.item.action === "create") return each;
    const [name, value] =
      each.item.action === "update" ? (["id", each.item.id] as const) : (["ext_id", each.item.ext_id] as const);
    const first = firsts.get(`${name} ${value}`);
    if (first === undefined) firsts.set(`${name} ${value}`, index);
    return first === undefined ? each : { error: repeated(name, first) };
  });
}

function repeated(name: string, first: number): AppError {
  const detail =
    `Item ${first} already has the record with this \`${name}\`. Send all changes of a record in one item, or this ` +
    "item in another batch.";
  return new AppError("invalid_request", detail, { errors: [{ pointer: `/${name}`, code: "repeated_item", detail }] });
}

/**
 * The results as JSON. The faults of all items together are bounded as those of one request are, but every failed item
 * has at least one.
 */
function resultsOf(outcomes: readonly Outcome[]): string[] {
  let faultsLeft = MAX_FAULTS;
  return outcomes.map((outcome, index) => {
    if (outcome.status !== "failed") return `{"status":"${outcome.status}","record":${outcome.json}}`;
    const { code, message: detail } = outcome.error;
    const errors = faultsOf({ index, error: outcome.error }).slice(0, Math.max(1, faultsLeft));
    faultsLeft -= errors.length;
    return JSON.stringify({ status: "failed", problem: { code, detail, errors } });
  });
}

const COUNT_FAULT = `A batch has 1 to ${MAX_BATCH_ITEMS} items.`;

const fault = z.object({ pointer: z.string(), code: z.string(), detail: z.string() });

function declareBatch(entity: Entity) {
  const plural = entity.resource.replaceAll("_", " ");
  return defineOperation({
    name: `batch_${entity.resource}`,
    summary: `Create, change and upsert up to ${MAX_BATCH_ITEMS} ${plural} at once.`,
    scopes: ["crm:write"],
    stores: true,
    input: z.strictObject({
      mode: z
        .enum(BATCH_MODES, { error: "`mode` is all_or_nothing or per_item." })
        .describe(
          "all_or_nothing: one item that fails undoes all, and the answer is its problem. per_item: the others are " +
            "carried out.",
        ),
      items: z.array(batchItemInput(entity)).min(1, COUNT_FAULT).max(MAX_BATCH_ITEMS, COUNT_FAULT),
    }),
    output: z.object({
      results: z
        .array(
          z.union([
            z.object({ status: z.enum(["created", "updated", "unchanged"]), record: recordOutput(entity) }),
            z.object({
              status: z.literal("failed"),
              problem: z.object({ code: z.string(), detail: z.string(), errors: z.array(fault) }),
            }),
          ]),
        )
        .describe("One result per item, in their order."),
    }),
    run: (context, { mode, items }) => batchRecords(entity, context, mode, items),
  });
}

/** The operation that writes many records of a resource. */
export const batchOperation = perResource<Operation>(declareBatch);
