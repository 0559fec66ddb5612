import { Text } from "@mantine/core";
import type { ComponentType, ReactNode } from "react";

import { ProblemAlert, type ProblemAlertProps } from "@/components/ui/feedback/problem-alert";
import { RowsSkeleton } from "@/components/ui/feedback/rows-skeleton";

interface LoadedProps<Data> {
  query: {
    data: Data | undefined;
    error: unknown;
    isPending: boolean;
    isError: boolean;
    isSuccess: boolean;
    /** Only the next page of a list failed, which `LoadMore` reports. */
    isFetchNextPageError?: boolean;
    refetch: () => Promise<unknown>;
  };
  /** What screen readers announce while it loads: "Loading API clients". */
  loading: string;
  /** Stands in the data's place while it loads, in its shape: one of `shaped-skeletons.tsx`, or just rows. */
  skeleton?: ComponentType<{ label: string }>;
  /** Where the reader can go when there is no such thing. */
  list?: ProblemAlertProps["list"];
  /** Shown instead of `children` when the data is a list without rows: a sentence, or `EmptyList`. */
  empty?: ReactNode;
  children: (data: Data) => ReactNode;
}

/**
 * Shows what a query has loaded: first a skeleton, then the data. A refusal stands above the data that an earlier
 * request has brought, with a button to try again.
 */
export function Loaded<Data>({
  query,
  loading,
  skeleton: Skeleton = RowsSkeleton,
  list,
  ...content
}: LoadedProps<Data>) {
  const hasFailed = query.isError && query.isFetchNextPageError !== true;
  return (
    <>
      {query.isPending && <Skeleton label={loading} />}
      {hasFailed && <ProblemAlert error={query.error} onRetry={() => void query.refetch()} list={list} />}
      {contentOf(query, content)}
    </>
  );
}

function contentOf<Data>(
  { data, isSuccess }: LoadedProps<Data>["query"],
  { empty, children }: Pick<LoadedProps<Data>, "empty" | "children">,
): ReactNode {
  if (data === undefined) return null;
  const isEmpty = empty !== undefined && Array.isArray(data) && data.length === 0;
  if (isEmpty) return isSuccess && emptyOf(empty);
  return children(data);
}

function emptyOf(empty: ReactNode): ReactNode {
  if (typeof empty !== "string") return empty;
  return (
    <Text size="sm" c="dimmed">
      {empty}
    </Text>
  );
}
