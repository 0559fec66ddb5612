"use client";

import { Alert, Group, Loader, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useEffect, useRef } from "react";

import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import { useAnalyze } from "@/components/migration/connect/use-analyze";

interface ConnectionReturnedProps {
  connectionId: string | null;
  refusal: string | null;
}

/** The result of a sign-in at Salesforce: a connection, whose analysis starts at once, or the reason of a refusal. */
export function ConnectionReturned({ connectionId, refusal }: ConnectionReturnedProps) {
  const analyze = useAnalyze();
  const requested = useRef(false);
  const { mutate } = analyze;
  useEffect(() => {
    // Development mode runs effects twice, but a connection starts one migration.
    if (!connectionId || requested.current) return;
    requested.current = true;
    mutate({ connection_id: connectionId });
  }, [connectionId, mutate]);

  if (analyze.isError) return <ProblemAlert error={analyze.error} takesFocus />;
  if (connectionId) {
    return (
      <Group gap="sm" mb="lg">
        <Loader size="sm" />
        <Text component="output">Connected. The analysis is starting.</Text>
      </Group>
    );
  }
  if (!refusal) return null;
  return (
    <Alert
      color="rust"
      mb="lg"
      title="Salesforce did not connect"
      icon={<IconAlertTriangle aria-hidden />}
      role="alert"
    >
      {refusal}
    </Alert>
  );
}
