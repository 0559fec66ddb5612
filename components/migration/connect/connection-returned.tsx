"use client";

import { Alert, Box, Group, Loader, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useEffect, useRef } from "react";

import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import { ReconnectNote } from "@/components/migration/connect/reconnect-note";
import { RefusalHelp } from "@/components/migration/connect/refusal-help";
import { useAnalyze } from "@/components/migration/connect/use-analyze";
import { rememberedReconnect } from "@/components/migration/control/remembered-reconnect";
import { useReconnectReturned } from "@/components/migration/control/use-reconnect";

/** Why a sign-in at Salesforce made no connection. */
export interface Refusal {
  code: string;
  sentence: string;
}

interface ConnectionReturnedProps {
  connectionId: string | null;
  refusal: Refusal | null;
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
    const remembered = rememberedReconnect();
    if (remembered === null) return mutate({ connection_id: connectionId });
    reconnect({ ...remembered, connectionId });
  }, [connectionId, mutate, reconnect]);

  const error = analyze.error ?? reconnecting.error;
  if (connectionId && !error) {
    return (
      <Group gap="sm" mb="lg">
        <Loader size="sm" />
        <Text component="output">
          {reconnecting.isIdle ? "Connected. The analysis is starting." : "Connected. Back to the migration."}
        </Text>
      </Group>
    );
  }
  return (
    <>
      {error && (
        <Box mb="lg">
          <ProblemAlert error={error} takesFocus>
            <RefusalHelp error={error} instanceUrl="" />
          </ProblemAlert>
        </Box>
      )}
      {refusal && !error && <RefusedSignIn refusal={refusal} />}
      <ReconnectNote />
    </>
  );
}

function RefusedSignIn({ refusal: { code, sentence } }: { refusal: Refusal }) {
  return (
    <Alert
      color="rust"
      mb="lg"
      title="Salesforce did not connect"
      icon={<IconAlertTriangle aria-hidden />}
      role="alert"
    >
      {sentence}
      <RefusalHelp error={code} instanceUrl="" isSignIn />
    </Alert>
  );
}
