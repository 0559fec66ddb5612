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

/**
 * What the return from Salesforce brought: a connection, whose analysis begins at once, or a refusal with its reason.
 */
export function ConnectionReturned({ connectionId, refusal }: ConnectionReturnedProps) {
  const analyze = useAnalyze();
  const asked = useRef(false);
  const { mutate } = analyze;
  useEffect(() => {
    // Development mode runs effects twice; one connection starts one migration.
    if (!connectionId || asked.current) return;
    asked.current = true;
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
