"use client";

import { Alert, Button, List, Text } from "@mantine/core";
import { IconUsers } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";

import { webhookQuery } from "@/components/settings/webhooks/use-webhooks";
import type { Webhook } from "@/lib/webhooks/endpoints/webhook-schema";

interface ChangedMeanwhileProps {
  /** The webhook as the reader last saw it. */
  known: Webhook;
  /** Given the webhook as it is now. */
  onRead: (now: Webhook) => void;
  onDiscard: () => void;
}

/** Says that somebody else was quicker, and leaves the choice to the reader, whose input is kept. */
export function ChangedMeanwhile({ known, onRead, onDiscard }: ChangedMeanwhileProps) {
  const ref = useRef<HTMLDivElement>(null);
  // What the reader had seen: learning what it is now must not empty the list of differences.
  const [before] = useState(known);
  const { data: now } = useQuery({ ...webhookQuery(known.id), staleTime: 0 });
  const isNews = now !== undefined && now.version !== before.version;
  useEffect(() => ref.current?.focus(), []);
  useEffect(() => {
    if (isNews) onRead(now);
  }, [isNews, now, onRead]);
  return (
    <Alert
      ref={ref}
      tabIndex={-1}
      color="amber"
      title="This webhook was changed meanwhile"
      icon={<IconUsers aria-hidden />}
    >
      <List size="sm">
        {isNews && differences(before, now).map((sentence) => <List.Item key={sentence}>{sentence}</List.Item>)}
      </List>
      <Text size="sm" my="xs">
        Yours is not saved. Save again to put it in its place.
      </Text>
      <Button variant="default" size="xs" onClick={onDiscard}>
        Take what is there
      </Button>
    </Alert>
  );
}

function differences(before: Webhook, now: Webhook): string[] {
  return [
    ...(now.url === before.url ? [] : [`The endpoint is now ${now.url}.`]),
    ...(now.description === before.description
      ? []
      : [now.description ? `The description is now “${now.description}”.` : "It has no description now."]),
    ...(now.events.join() === before.events.join() ? [] : [`The events are now ${now.events.join(", ")}.`]),
    ...(now.active === before.active ? [] : [now.active ? "It is switched on now." : "It is switched off now."]),
  ];
}
