"use client";

import { Group, Loader, Paper, Text } from "@mantine/core";
import { useNetwork } from "@mantine/hooks";
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";

import { getReachable, onReachable, setReachable } from "@/components/api/reachability";
import classes from "@/components/shell/connection-notice.module.css";

const RETRY_MS = 3_000;

/**
 * Says that the service does not answer, over the foot of the page so that nothing moves, and asks it until it does.
 * Then what failed is loaded again.
 */
export function ConnectionNotice() {
  const { online } = useNetwork();
  const reachable = useSyncExternalStore(onReachable, getReachable, () => true);
  const queryClient = useQueryClient();
  useEffect(() => {
    if (reachable) return undefined;
    const timer = setInterval(() => void ask(queryClient), RETRY_MS);
    return () => clearInterval(timer);
  }, [reachable, queryClient]);
  return (
    <Paper withBorder shadow="md" component="output" className={classes.notice}>
      {!(online && reachable) && (
        <Group gap="sm" wrap="nowrap">
          <Loader size="xs" aria-hidden />
          <Text size="sm">
            {online ? "The service does not answer." : "You are offline."} What you see may be out of date. Trying
            again…
          </Text>
        </Group>
      )}
    </Paper>
  );
}

/** Asks the service whether it is there again; then everything that is shown is loaded anew. */
async function ask(queryClient: QueryClient): Promise<void> {
  // One at a time: an answer that takes longer counts as none.
  const signal = AbortSignal.timeout(RETRY_MS);
  const answer = await fetch("/api/health/live", { cache: "no-store", signal }).catch(() => undefined);
  if (!answer?.ok) return;
  setReachable(true);
  await queryClient.invalidateQueries();
}
