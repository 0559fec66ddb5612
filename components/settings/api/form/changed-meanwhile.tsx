"use client";

import { Alert, Button, List, Text } from "@mantine/core";
import { IconUsers } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";

import type { Problem } from "@/components/api/problem";
import { clientQuery } from "@/components/settings/api/use-clients";
import type { OauthClient } from "@/lib/oauth/clients/client-schema";

interface ChangedMeanwhileProps {
  /** The API's refusal, which says what the fields are now. */
  problem: Problem;
  id: string;
  /** Given the client as it is now. */
  onRead: (client: OauthClient) => void;
  onDiscard: () => void;
}

/** Says that somebody else was quicker, and leaves the choice to the reader, whose input is kept. */
export function ChangedMeanwhile({ problem, id, onRead, onDiscard }: ChangedMeanwhileProps) {
  const queries = useQueryClient();
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => ref.current?.focus(), []);
  useEffect(() => {
    queries.fetchQuery({ ...clientQuery(id), staleTime: 0 }).then(onRead, () => undefined);
  }, [queries, id, onRead]);
  return (
    <Alert
      ref={ref}
      tabIndex={-1}
      color="amber"
      title="Somebody else changed this client meanwhile"
      icon={<IconUsers aria-hidden />}
    >
      <List size="sm">
        {problem.errors.map(({ pointer, detail }) => (
          <List.Item key={pointer}>{detail}</List.Item>
        ))}
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
