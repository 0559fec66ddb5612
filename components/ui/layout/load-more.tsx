import { Button, Center, Text } from "@mantine/core";
import type { ReactNode } from "react";

import { ProblemAlert } from "@/components/ui/feedback/problem-alert";

export interface LoadMoreProps {
  /** The query of `useList`. */
  query: {
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    isFetchNextPageError: boolean;
    error: unknown;
    fetchNextPage: () => Promise<unknown>;
  };
  /** Shown below the last row when there are no more. */
  end?: ReactNode;
}

/** A button that loads the next page of a list, below the loaded rows. */
export function LoadMore({ query, end }: LoadMoreProps) {
  const more = () => void query.fetchNextPage();
  return (
    <>
      {query.isFetchNextPageError && <ProblemAlert error={query.error} onRetry={more} />}
      {query.hasNextPage ? (
        <Center>
          <Button variant="default" loading={query.isFetchingNextPage} onClick={more}>
            Load more
          </Button>
          <Text size="sm" className="on-paper">
            There are more than these.
          </Text>
        </Center>
      ) : (
        end && <Center>{end}</Center>
      )}
    </>
  );
}
