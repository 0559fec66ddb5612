"use client";

import { Alert, Button, List, Text } from "@mantine/core";
import { IconUsers } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";

import { clientQuery } from "@/components/settings/api/use-clients";
import type { OauthClient } from "@/lib/oauth/clients/client-schema";

interface ChangedMeanwhileProps {
  /** The client as the reader last saw it. */
  known: OauthClient;
  /** Given the client as it is now. */
  onRead: (now: OauthClient) => void;
  onDiscard: () => void;
}

/** Says that somebody else has changed the client first, and leaves the choice to the reader, whose input is kept. */
export function ChangedMeanwhile({ known, onRead, onDiscard }: ChangedMeanwhileProps) {
  const ref = useRef<HTMLDivElement>(null);
  // The version that the reader had seen: `known` becomes the present one, and the list of differences must stay.
  const [before] = useState(known);
  const { data: now } = useQuery({ ...clientQuery(known.id), staleTime: 0 });
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
      title="Somebody else changed this client meanwhile"
      icon={<IconUsers aria-hidden />}
    >
      <List size="sm">
        {isNews && differences(before, now).map((sentence) => <List.Item key={sentence}>{sentence}</List.Item>)}
      </List>
      <Text size="sm" my="xs">
        Yours is not saved. Save again to put it in the place of theirs.
      </Text>
      <Button variant="default" size="xs" onClick={onDiscard}>
        Take theirs
      </Button>
    </Alert>
  );
}

function differences(before: OauthClient, now: OauthClient): string[] {
  return [
    ...(now.name === before.name ? [] : [`The name is now ${now.name}.`]),
    ...(now.redirect_uris.join() === before.redirect_uris.join()
      ? []
      : [`The redirect URIs are now ${now.redirect_uris.join(", ")}.`]),
  ];
}
