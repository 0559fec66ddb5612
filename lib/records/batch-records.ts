import type { Context } from "@/lib/context";
import { suggestions } from "@/lib/nearest";
import { JsonText } from "@/lib/operation";
import { MOST_FAULTS } from "@/lib/errors";
import { type GivenItem, readItem } from "@/lib/records/batch-items";
import { faultsOf, joined } from "@/lib/records/batch-refusals";
import { type Outcome, writeItems } from "@/lib/records/batch-write";
import type { Entity } from "@/lib/records/entity";
import { retriedTransaction } from "@/lib/retried-transaction";

/** Whether one item that fails takes all others with it. */
export const BATCH_MODES = ["all_or_nothing", "per_item"] as const;
export type BatchMode = (typeof BATCH_MODES)[number];

/**
 * Creates, changes and upserts records in one transaction: JSON with a result per item, in their order. Throws `invalid_request` or `conflict`
 * with the faults of every item (`/items/3/data/name`) when one fails and all were to be carried out or none. What the database says is asked also
 * when an item cannot even be read; of that item alone it is not.
 */
export async function batchRecords(entity: Entity, context: Context, mode: BatchMode, given: readonly GivenItem[]): Promise<JsonText> {
  const suggest = suggestions();
  const read = given.map((item) => readItem(entity, item, suggest));
  const items = read.flatMap((each) => ("item" in each ? [each.item] : []));
  const all = await retriedTransaction(async (client) => {
    const written = (await writeItems({ client, entity, context }, items)).values();
    const outcomes = read.map((each): Outcome => ("error" in each ? { status: "failed", error: each.error } : (written.next().value as Outcome)));
    const failed = outcomes.flatMap((outcome, index) => (outcome.status === "failed" ? [{ index, error: outcome.error }] : []));
    if (mode === "all_or_nothing" && failed.length > 0) throw joined(failed);
    return outcomes;
  });
  return new JsonText(`{"results":[${resultsOf(all).join(",")}]}`);
}

/** The faults of all items together are bounded as those of one request are, but every item that failed names its first one. */
function resultsOf(outcomes: readonly Outcome[]): string[] {
  let left = MOST_FAULTS;
  return outcomes.map((outcome, index) => {
    if (outcome.status !== "failed") return `{"status":"${outcome.status}","record":${outcome.json}}`;
    const { code, message: detail } = outcome.error;
    const errors = faultsOf({ index, error: outcome.error }).slice(0, Math.max(1, left));
    left -= errors.length;
    return JSON.stringify({ status: "failed", problem: { code, detail, errors } });
  });
}
