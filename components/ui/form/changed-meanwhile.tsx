"use client";

import { Button, List, Text } from "@mantine/core";
import { IconUsers } from "@tabler/icons-react";
import { type QueryKey, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";

import { FocusedAlert } from "@/components/ui/feedback/focused-alert";

export interface ChangedMeanwhileProps<Item extends { version: number }> {
  /** What it is: "webhook". */
  noun: string;
  /** As the reader last saw it. */
  known: Item;
  /** Reads it. */
  query: { queryKey: QueryKey; queryFn: (context: { signal: AbortSignal }) => Promise<Item> };
  /** What has changed, in sentences. */
  differences: (before: Item, now: Item) => string[];
  /** Gets the item as it is now. */
  onRead: (now: Item) => void;
  onDiscard: () => void;
}

/**
 * Says that an item was changed while the reader edited it, and what is different now. The reader's input stays: saving
 * again replaces the other change.
 */
export function ChangedMeanwhile<Item extends { version: number }>(props: ChangedMeanwhileProps<Item>) {
  const { noun, known, query, differences, onRead, onDiscard } = props;
  // `onRead` replaces `known`; the list of differences must stay.
  const [before] = useState(known);
  const { data: now } = useQuery({ ...query, staleTime: 0 });
  const isNewer = now !== undefined && now.version !== before.version;
  useEffect(() => {
    if (isNewer) onRead(now);
  }, [isNewer, now, onRead]);
  return (
    <FocusedAlert color="amber" title={`This ${noun} was changed meanwhile`} icon={<IconUsers aria-hidden />}>
      <List size="sm">
        {isNewer && differences(before, now).map((sentence) => <List.Item key={sentence}>{sentence}</List.Item>)}
      </List>
      <Text size="sm" my="xs">
        Your changes are not saved. Save again to replace the other ones.
      </Text>
      <Button variant="default" size="xs" onClick={onDiscard}>
        Take theirs
      </Button>
    </FocusedAlert>
  );
}
