import { type InfiniteData, useQuery } from "@tanstack/react-query";

import { queryKeys } from "@/components/api/query-keys";
import { getJson } from "@/components/api/request";
import { distinctById, type Page, SHORT_PAGE, useList } from "@/components/api/use-list";
import { type AnyRecord, textOf } from "@/components/records/record";
import { dayOf } from "@/components/ui/text/time-zone";
import { ENTITIES } from "@/lib/records/schema/registry";

/** The stages in the order of a sale. */
export const STAGES = ENTITIES.opportunities.fields.stage.values ?? [];

export type Stage = (typeof STAGES)[number];

/** An opportunity on the board, with its account in place. */
export interface Card extends AnyRecord {
  stage: Stage;
  version: number;
  account?: { name: string } | null;
}

/** Whether an open opportunity's close date has passed, by the day in the time zone of the pages. */
export function isOverdue(item: Card, today = dayOf(new Date())): boolean {
  const day = textOf(item, "close_date");
  return item.is_closed !== true && day !== "" && day < today;
}

/** The cards of a column as the cache holds them. */
export type Column = InfiniteData<{ data: AnyRecord[]; next_cursor: string | null }>;

export function columnKey(stage: Stage) {
  return queryKeys.records("opportunities", `board: ${stage}`);
}

/** The opportunities of a stage, the newest first, page after page. */
export function useColumn(stage: Stage) {
  const query = new URLSearchParams({ stage, expand: "account", limit: String(SHORT_PAGE) }).toString();
  const path = `/opportunities?${query}`;
  return useList<Card>({ queryKey: columnKey(stage), path, select: distinctCards, isKept: true });
}

/** A card that was moved here stands on top, and may come again with a later page. */
function distinctCards({ pages }: InfiniteData<Page<Card>>): Card[] {
  return distinctById(pages.flatMap(({ data }) => data));
}

export interface StageSums {
  stage: Stage;
  opportunities: number;
  /** `opportunities`: those that have an amount in the currency. */
  amounts: { currency: string | null; opportunities: number; amount: number }[];
}

export interface Pipeline {
  data: StageSums[];
}

/** How many opportunities each stage has, and their amounts by currency. A stage without any is missing. */
export function usePipeline() {
  return useQuery({
    queryKey: queryKeys.pipeline(),
    queryFn: ({ signal }) => getJson<Pipeline>("/pipeline", signal),
    select: ({ data }) => new Map(data.map((sums) => [sums.stage, sums])),
  });
}
