import type { Context } from "@/lib/context";
import { suggestions } from "@/lib/nearest";
import { JsonText } from "@/lib/operation";
import { AppError, MOST_FAULTS } from "@/lib/errors";
import { type GivenItem, readItem } from "@/lib/records/batch-items";
import { faultsOf, joined } from "@/lib/records/batch-refusals";
import { refuseLargeTargets } from "@/lib/records/batch-targets";
import { type Outcome, writeItems } from "@/lib/records/batch-write";
import type { Entity } from "@/lib/records/entity";
import { retriedTransaction } from "@/lib/retried-transaction";

/** Whether one item that fails takes all others with it. */
export const BATCH_MODES = ["all_or_nothing", "per_item"] as const;
export type BatchMode = (typeof BATCH_MODES)[number];

/**
 * Creates, changes and upserts records in one transaction: JSON with a result per item, in their order. Throws `payload_too_large` where the answer would be, and `invalid_request` or `conflict`
 * with the faults of every item (`/items/3/data/name`) when one fails and all were to be carried out or none. What the database says is asked also
 * when an item cannot even be read; of that item alone it is not.
 */
export async function batchRecords(entity: Entity, context: Context, mode: BatchMode, given: readonly GivenItem[]): Promise<JsonText> {
  const suggest = suggestions();
  const read = withoutRepeats(given.map((item) => readItem(entity, item, suggest)));
  const items = read.flatMap((each) => ("item" in each ? [each.item] : []));
  const all = await retriedTransaction(async (client) => {
    await refuseLargeTargets(client, entity, context.organizationId, items);
    const written = (await writeItems({ client, entity, context }, items)).values();
    const outcomes = read.map((each): Outcome => ("error" in each ? { status: "failed", error: each.error } : (written.next().value as Outcome)));
    const failed = outcomes.flatMap((outcome, index) => (outcome.status === "failed" ? [{ index, error: outcome.error }] : []));
    if (mode === "all_or_nothing" && failed.length > 0) throw joined(failed);
    return outcomes;
  });
  return new JsonText(`{"results":[${resultsOf(all).join(",")}]}`);
}

type ReadItem = ReturnType<typeof readItem>;

/** Each repeat would be answered with the record once more: two hundred of a large one made a short request an answer of 184 MB. */
function withoutRepeats(items: readonly ReadItem[]): ReadItem[] {
  const firsts = new Map<string, number>();
  return items.map((each, index) => {
    if ("error" in each || each.item.action === "create") return each;
    const [name, value] = each.item.action === "update" ? (["id", each.item.id] as const) : (["ext_id", each.item.ext_id] as const);
    const first = firsts.get(`${name} ${value}`);
    if (first === undefined) firsts.set(`${name} ${value}`, index);
    return first === undefined ? each : { error: repeated(name, first) };
  });
}

function repeated(name: string, first: number): AppError {
  const detail = `Item ${first} is about the record with this \`${name}\` already. Send what is to change in one item, or this one in another batch.`;
  return new AppError("invalid_request", detail, { errors: [{ pointer: `/${name}`, code: "repeated_item", detail }] });
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
