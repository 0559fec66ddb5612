"use client";

import { Button, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";

import { pageOf } from "@/components/api/page-schema";
import { queryKeys } from "@/components/api/query-keys";
import { getJson } from "@/components/api/request";
import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import { Fact, Facts } from "@/components/ui/layout/facts";
import { formatMoment } from "@/components/ui/text/format";
import { LoadMore } from "@/components/ui/layout/load-more";
import listClasses from "@/components/ui/layout/announced-list.module.css";
import classes from "@/components/migration/overview/connected-orgs.module.css";
import { DisconnectDialog, nameOfOrg } from "@/components/migration/overview/disconnect-dialog";
import { type Connection, connection, type Disconnection } from "@/lib/migration/connections/connection-schema";

const connectionPage = pageOf(connection);

function tellDisconnected(done: Disconnection): void {
  const stopped = done.migrations_stopped > 0 ? " What was under way has stopped." : "";
  notifications.show({
    title: `${nameOfOrg(done)} is disconnected`,
    message: done.revoked
      ? `The access is deleted here and revoked at Salesforce.${stopped}`
      : `The access is deleted here.${stopped} ${done.not_revoked_because ?? ""} You can revoke it in Salesforce: Setup › Connected Apps OAuth Usage.`,
    color: done.revoked ? undefined : "amber",
    autoClose: done.revoked ? undefined : false,
  });
}

/**
 * The orgs that the service can read at the moment, each with a way to take that back. Nothing is shown while there is
 * none.
 */
export function ConnectedOrgs() {
  const query = useInfiniteQuery({
    queryKey: queryKeys.connections(),
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) =>
      getJson(
        `/migration/connections${pageParam && `?cursor=${encodeURIComponent(pageParam)}`}`,
        connectionPage,
        signal,
      ),
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });
  const queryClient = useQueryClient();
  const [asked, setAsked] = useState<Connection | null>(null);
  const [isAsking, { open, close }] = useDisclosure();
  const section = useRef<HTMLDivElement>(null);
  const orgs = query.data?.pages.flatMap((page) => page.data) ?? [];
  const disconnected = async (done: Disconnection) => {
    close();
    tellDisconnected(done);
    await Promise.all(
      [queryKeys.connections(), queryKeys.migrations()].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
    );
    // The button that opened the dialog is gone with its org.
    section.current?.focus();
  };
  return (
    <Stack
      ref={section}
      tabIndex={-1}
      component="section"
      aria-label="Connected Salesforce orgs"
      className={listClasses.section}
    >
      {query.isError && !query.isFetchNextPageError && (
        <ProblemAlert error={query.error} onRetry={() => void query.refetch()} />
      )}
      {orgs.length > 0 && (
        <>
          <div>
            <Title order={2}>Connected Salesforce orgs</Title>
            <Text c="dimmed" size="sm" mt={4}>
              This service can read these orgs. Disconnect an org when nothing is left to migrate.
            </Text>
          </div>
          <Stack component="ul" className={listClasses.list}>
            {orgs.map((org) => (
              <ConnectedOrg
                key={org.connection_id}
                org={org}
                onDisconnect={() => {
                  setAsked(org);
                  open();
                }}
              />
            ))}
          </Stack>
          <LoadMore query={query} />
        </>
      )}
      <DisconnectDialog
        opened={isAsking}
        org={asked}
        onClose={close}
        onDisconnected={(done) => void disconnected(done)}
      />
    </Stack>
  );
}

function ConnectedOrg({ org, onDisconnect }: { org: Connection; onDisconnect: () => void }) {
  const headingId = `org-${org.connection_id}`;
  return (
    <Paper withBorder component="li" p={{ base: "md", sm: "lg" }} aria-labelledby={headingId}>
      <Group justify="space-between" align="flex-start" gap="sm" mb="sm">
        <Title order={3} id={headingId} className={classes.name}>
          <bdi>{nameOfOrg(org)}</bdi>
        </Title>
        <Button variant="default" size="sm" onClick={onDisconnect} aria-describedby={headingId}>
          Disconnect
        </Button>
      </Group>
      <Facts>
        <Fact label="Address">{new URL(org.ext_instance_url).host}</Fact>
        <Fact label="Salesforce user">
          <bdi>{org.username ?? "Salesforce does not say"}</bdi>
        </Fact>
        <Fact label="Connected">{formatMoment(org.created_at)}</Fact>
        <Fact label="Access">
          {org.renewable ? "Sign-in at Salesforce, renewed automatically" : "Access token, until it expires"}
        </Fact>
      </Facts>
    </Paper>
  );
}
