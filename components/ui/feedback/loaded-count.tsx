import { Announcement } from "@/components/ui/feedback/announcement";

interface LoadedCountProps {
  query: {
    data: readonly unknown[] | undefined;
    isSuccess: boolean;
    isPlaceholderData: boolean;
    hasNextPage: boolean;
  };
  /** A number of rows in words: "12 events". */
  format: (count: number) => string;
}

/**
 * Tells screen readers how many rows a filtered list has. Says nothing while the rows of the previous filter are still
 * shown.
 */
export function LoadedCount({ query: { data, isSuccess, isPlaceholderData, hasNextPage }, format }: LoadedCountProps) {
  const words = format(data?.length ?? 0);
  return (
    <Announcement>{isSuccess && !isPlaceholderData && (hasNextPage ? `The newest ${words}` : words)}</Announcement>
  );
}
