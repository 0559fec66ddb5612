"use client";

import { Button, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";

import { queryKeys } from "@/components/api/query-keys";
import { useList } from "@/components/api/use-list";
import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import { Fact, Facts } from "@/components/ui/layout/facts";
import { Moment } from "@/components/ui/text/moment";
import { LoadMore } from "@/components/ui/layout/load-more";
import listClasses from "@/components/ui/layout/announced-list.module.css";
import classes from "@/components/migration/overview/connected-orgs.module.css";
import { DisconnectDialog, nameOfOrg } from "@/components/migration/overview/disconnect-dialog";
import { useDialog } from "@/components/ui/overlay/use-dialog";
import type { Connection, Disconnection } from "@/lib/migration/connections/connection-schema";

/** The orgs that the service can read, each with a button to disconnect it. Shows nothing while there are none. */
export function ConnectedOrgs() {
  const query = useList<Connection>({ queryKey: queryKeys.connections(), path: "/migration/connections" });
  const queryClient = useQueryClient();
  const dialog = useDialog<Connection>();
  const section = useRef<HTMLDivElement>(null);
  const orgs = query.data ?? [];
  const disconnected = async (result: Disconnection) => {
    dialog.close();
    notifyDisconnected(result);
    await Promise.all(
      [queryKeys.connections(), queryKeys.migrations()].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
    );
    // The button that opened the dialog has disappeared together with its org.
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
          <OrgList orgs={orgs} onDisconnect={dialog.open} />
          <LoadMore query={query} />
        </>
      )}
      <DisconnectDialog
        opened={dialog.isOpen}
        org={dialog.subject}
        onClose={dialog.close}
        onDisconnected={(result) => void disconnected(result)}
      />
    </Stack>
  );
}

function notifyDisconnected(result: Disconnection): void {
  const stopped = result.migrations_stopped > 0 ? " What was under way has stopped." : "";
  notifications.show({
    title: `${nameOfOrg(result)} is disconnected`,
    message: result.revoked
      ? `The access is deleted here and revoked at Salesforce.${stopped}`
      : `The access is deleted here.${stopped} ${result.not_revoked_because ?? ""} You can revoke it in Salesforce: ` +
        "Setup › Connected Apps OAuth Usage.",
    color: result.revoked ? undefined : "amber",
    autoClose: result.revoked ? undefined : false,
  });
}

function OrgList({ orgs, onDisconnect }: { orgs: readonly Connection[]; onDisconnect: (org: Connection) => void }) {
  return (
    <>
      <div>
        <Title order={2}>Connected Salesforce orgs</Title>
        <Text c="dimmed" size="sm" mt={4}>
          This service can read these orgs. Disconnect an org when nothing is left to migrate.
        </Text>
      </div>
      <Stack component="ul" className={listClasses.list}>
        {orgs.map((org) => (
          <ConnectedOrg key={org.connection_id} org={org} onDisconnect={() => onDisconnect(org)} />
        ))}
      </Stack>
    </>
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
        <Fact label="Connected">
          <Moment iso={org.created_at} />
        </Fact>
        <Fact label="Access">
          {org.renewable ? "Sign-in at Salesforce, renewed automatically" : "Access token, until it expires"}
        </Fact>
      </Facts>
    </Paper>
  );
}
