"use client";

import { Alert, Group, Loader, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useEffect, useRef } from "react";

import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import { takeReconnect } from "@/components/migration/control/remembered-reconnect";
import { useReconnectReturned } from "@/components/migration/control/use-reconnect";
import { useAnalyze } from "@/components/migration/connect/use-analyze";

interface ConnectionReturnedProps {
  connectionId: string | null;
  refusal: string | null;
}

/**
 * The result of a sign-in at Salesforce: a connection, or the reason of a refusal. A connection's analysis starts at
 * once; one for a migration that lost its access is given to that.
 */
export function ConnectionReturned({ connectionId, refusal }: ConnectionReturnedProps) {
  const analyze = useAnalyze();
  const requested = useRef(false);
  const { mutate } = analyze;
  const reconnecting = useReconnectReturned();
  const { mutate: reconnect } = reconnecting;
  useEffect(() => {
    // Development mode runs effects twice, but a connection starts one migration.
    if (!connectionId || requested.current) return;
    requested.current = true;
    const migrationId = takeReconnect();
    if (migrationId === null) return mutate({ connection_id: connectionId });
    reconnect({ migrationId, connectionId });
  }, [connectionId, mutate, reconnect]);

  const error = analyze.error ?? reconnecting.error;
  if (error) return <ProblemAlert error={error} takesFocus />;
  if (connectionId) {
    return (
      <Group gap="sm" mb="lg">
        <Loader size="sm" />
        <Text component="output">
          {reconnecting.isIdle ? "Connected. The analysis is starting." : "Connected. The migration goes on."}
        </Text>
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
