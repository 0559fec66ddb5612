import { dehydrate, HydrationBoundary, QueryClient, type QueryKey } from "@tanstack/react-query";
import type { ReactNode } from "react";

import type { Context } from "@/lib/context";
import { AppError } from "@/lib/errors";
import { execute, JsonText, type Operation, valueOf } from "@/lib/operation";

/** A query of a page: its key in the browser's cache, and the operation of the API that answers it. */
interface Query {
  key: QueryKey;
  operation: Operation;
  input: unknown;
  /** It is read page after page (`useList`): this is the first one. */
  isList?: true;
}

interface PrefetchedProps {
  context: Context;
  queries: readonly Query[];
  children: ReactNode;
}

/**
 * Sends the answers to a page's queries with the page, so that it is shown whole before its scripts run. A query that
 * the operation refuses is left to the browser, which asks again and shows why.
 */
export async function Prefetched({ context, queries, children }: PrefetchedProps) {
  const client = new QueryClient();
  await Promise.all(
    queries.map(async ({ key, operation, input, isList }) => {
      const answer = await answerOf(operation, context, input);
      if (answer !== undefined) client.setQueryData(key, isList ? { pages: [answer], pageParams: [""] } : answer);
    }),
  );
  return <HydrationBoundary state={dehydrate(client)}>{children}</HydrationBoundary>;
}

/** As the browser keeps it: with its entity-tag, if it has one. */
async function answerOf(operation: Operation, context: Context, input: unknown): Promise<unknown> {
  try {
    const result = await execute(operation, context, input);
    const value: unknown = valueOf(result);
    return result instanceof JsonText && result.tag !== null ? { value, tag: `"${result.tag}"` } : value;
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}
