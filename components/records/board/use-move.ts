import { type QueryClient, useMutation, useMutationState, useQueryClient } from "@tanstack/react-query";

import { isOutdated } from "@/components/api/problem";
import { queryKeys, replaceData } from "@/components/api/query-keys";
import { sendJson } from "@/components/api/request";
import { type Card, type Column, columnKey, type Pipeline, type Stage } from "@/components/records/board/board-queries";
import { movedSums } from "@/components/records/board/moved-sums";
import { type AnyRecord, titleOf } from "@/components/records/record";
import { recordsChanged } from "@/components/records/records-changed";
import { showProblem } from "@/components/ui/feedback/show-problem";
import { inWords } from "@/components/ui/text/format";

/** A card and the stage that it is to have. */
export interface Move {
  card: Card;
  to: Stage;
}

const MOVE = ["move a card"];

/** The ids of the cards whose stage is being saved. Until that is answered, nobody knows their next version. */
export function useMoving(): string[] {
  return useMutationState({
    filters: { mutationKey: MOVE, status: "pending" },
    select: ({ state }) => (state.variables as Move).card.id,
  });
}

/**
 * Moves a card to another stage: at once on the board, then by the API for the version that the reader has seen. If
 * that is refused, the card is back where it was, and the reader learns why.
 */
export function useMove() {
  const queries = useQueryClient();
  return useMutation({
    mutationKey: MOVE,
    mutationFn: ({ card, to }: Move) =>
      sendJson<AnyRecord>("PATCH", `/opportunities/${card.id}`, { stage: to }, card.version),
    onMutate: async ({ card, to }) => {
      await Promise.all([card.stage, to].map((stage) => queries.cancelQueries({ queryKey: columnKey(stage) })));
      change(queries, card.stage, (rows) => rows.filter(({ id }) => id !== card.id));
      put(queries, { ...card, stage: to }, to);
    },
    onSuccess: async (saved, { card, to }) => {
      change(queries, to, (rows) =>
        rows.map((row) => (row.id === card.id ? { ...saved, account: card.account } : row)),
      );
      await replaceData(queries, queryKeys.record("opportunities", card.id), saved);
      await replaceData<Pipeline>(
        queries,
        queryKeys.pipeline(),
        (sums) => sums && { data: movedSums(sums.data, card, to) },
      );
      // The columns are right already. Other lists are read again when they are shown.
      void recordsChanged(queries, "none");
      loadCancelled(queries);
    },
    onError: (error, { card, to }) => {
      change(queries, to, (rows) => rows.filter(({ id }) => id !== card.id));
      put(queries, card, card.stage);
      sayRefusal(error, card, to);
      void queries.invalidateQueries({ queryKey: queryKeys.record("opportunities", card.id) });
      void recordsChanged(queries);
    },
  });
}

/** Columns and sums whose first load a move has cancelled would never come. */
function loadCancelled(queries: QueryClient): void {
  for (const queryKey of [["records", "opportunities"], queryKeys.pipeline()])
    void queries.refetchQueries({ queryKey, type: "active", predicate: ({ state }) => state.data === undefined });
}

function sayRefusal(error: unknown, card: Card, to: Stage): void {
  showProblem(error, {
    title: `${titleOf("opportunities", card)} was not moved to ${inWords(to)}`,
    ...(isOutdated(error) && {
      message:
        "Somebody else has changed it meanwhile. The board now shows it as it is. Move it again if you still want to.",
    }),
  });
}

function change(queries: QueryClient, stage: Stage, rowsOf: (rows: AnyRecord[]) => AnyRecord[]): void {
  queries.setQueryData<Column>(
    columnKey(stage),
    (column) => column && { ...column, pages: column.pages.map((page) => ({ ...page, data: rowsOf(page.data) })) },
  );
}

/** Puts a card on top of a column, where the reader sees it. */
function put(queries: QueryClient, card: Card, stage: Stage): void {
  queries.setQueryData<Column>(columnKey(stage), (column) => {
    const [first, ...rest] = column?.pages ?? [];
    return column && first && { ...column, pages: [{ ...first, data: [card, ...first.data] }, ...rest] };
  });
}
