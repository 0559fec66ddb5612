import { dehydrate, hashKey, HydrationBoundary, QueryClient, type QueryKey } from "@tanstack/react-query";
import { cache, type ReactNode } from "react";

import { executeForPage } from "@/app/execute-for-page";
import type { Page } from "@/components/api/use-list";
import type { Context } from "@/lib/context";
import { unavailability } from "@/lib/unavailable";
import { AppError } from "@/lib/errors";
import { JsonText, type Operation, valueOf } from "@/lib/operation";

/** A query of a page: its key in the browser's cache, and the operation of the API that answers it. */
export interface PageQuery {
  key: QueryKey;
  operation: Operation;
  input: unknown;
  /** How the browser keeps a list: page after page (`useList`), or all its rows at once (`loadAll`). */
  list?: "pages" | "rows";
}

interface PrefetchedProps {
  context: Context;
  queries: readonly PageQuery[];
  children: ReactNode;
}

/**
 * Sends the answers to a page's queries with the page, so that it is shown whole before its scripts run. A query that
 * the operation refuses, or the database cannot answer, is left to the browser, which asks again and shows why.
 */
export async function Prefetched({ context, queries, children }: PrefetchedProps) {
  const client = new QueryClient();
  await Promise.all(
    queries.map(async (query) => {
      const answer = await answerOf(query, context);
      if (answer !== undefined) client.setQueryData(query.key, answer);
    }),
  );
  return <HydrationBoundary state={dehydrate(client)}>{children}</HydrationBoundary>;
}

const answersToRequest = cache(() => new Map<string, Promise<unknown>>());

/**
 * The answer to a query, as the browser keeps it; undefined is left to the browser. It is read once per request, since
 * the title of a page names what the page shows.
 */
export function answerOf(query: PageQuery, context: Context): Promise<unknown> {
  const answers = answersToRequest();
  const key = hashKey(query.key);
  const answer = answers.get(key) ?? read(query, context);
  answers.set(key, answer);
  return answer;
}

/** With its entity-tag, if it has one. */
async function read({ operation, input, list }: PageQuery, context: Context): Promise<unknown> {
  try {
    const result = await executeForPage(operation, context, input);
    const value: unknown = valueOf(result);
    if (list) return listOf(list, value as Page<unknown>);
    return result instanceof JsonText && result.tag !== null ? { value, tag: `"${result.tag}"` } : value;
  } catch (error) {
    if (error instanceof AppError || unavailability(error)) return undefined;
    throw error;
  }
}

/** The list as the browser keeps it. A list of all rows that has further pages is left to the browser. */
function listOf(list: "pages" | "rows", page: Page<unknown>): unknown {
  if (list === "pages") return { pages: [page], pageParams: [""] };
  return page.has_more ? undefined : page.data;
}
