import { InfiniteQueryObserver, QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, expect, test, vi } from "vitest";

import { queryKeys } from "@/components/api/query-keys";
import { type Card, columnKey } from "@/components/records/board/board-queries";
import { PipelineBoard } from "@/components/records/board/pipeline-board";
import { useMove } from "@/components/records/board/use-move";
import { markupOf } from "@/tests/components/support/app-router";

const [A, B] = ["1", "2"].map((id) => ({ id, name: `Deal ${id}`, stage: "proposal", version: 1 })) as unknown as [
  Card,
  Card,
];

const never = () => new Promise<never>(() => undefined);

afterEach(() => vi.unstubAllGlobals());

/** A board whose first column is loaded, and its moves. */
function boardWith(answer: () => Promise<Response>) {
  vi.stubGlobal("fetch", answer);
  const queries = new QueryClient();
  queries.setQueryData(columnKey("proposal"), { pages: [{ data: [A, B], next_cursor: null }], pageParams: [""] });
  queries.setQueryData(columnKey("closed_won"), { pages: [{ data: [], next_cursor: null }], pageParams: [""] });
  let move: ReturnType<typeof useMove> | undefined;
  function Page() {
    move = useMove();
    return null;
  }
  markupOf(<Page />, queries);
  return { queries, move: (card: Card, to: Card["stage"]) => move?.mutate({ card, to }) };
}

test("a card cannot be moved again before its move is answered, though another one was moved since", async () => {
  const { queries, move } = boardWith(never);
  move(A, "closed_won");
  move(B, "closed_won");
  await vi.waitFor(() => expect(markupOf(<PipelineBoard />, queries).match(/data-moving="true"/g)).toHaveLength(2));
});

test("a card that was moved to a column stands in it once, also when a later page has it", () => {
  const { queries } = boardWith(never);
  const pages = [[A], [B, A]].map((data) => ({ data, next_cursor: null }));
  queries.setQueryData(columnKey("proposal"), { pages, pageParams: ["", "next"] });
  expect(markupOf(<PipelineBoard />, queries).match(/<li/g)).toHaveLength(2);
});

test("a column and the sums that a move came upon in their first load are loaded after it", async () => {
  const { queries, move } = boardWith(async () => Response.json({ ...A, stage: "negotiation", version: 2 }));
  const sums = vi.fn<() => Promise<never>>(never);
  const column = vi.fn<() => Promise<never>>(never);
  new QueryObserver(queries, { queryKey: queryKeys.pipeline(), queryFn: sums }).subscribe(() => undefined);
  new InfiniteQueryObserver(queries, {
    queryKey: columnKey("negotiation"),
    queryFn: column,
    initialPageParam: "",
    getNextPageParam: () => null,
  }).subscribe(() => undefined);
  await vi.waitFor(() => expect(column).toHaveBeenCalledTimes(1));
  move(A, "negotiation");
  await vi.waitFor(() => expect(column).toHaveBeenCalledTimes(2));
  expect(sums).toHaveBeenCalledTimes(2);
});
