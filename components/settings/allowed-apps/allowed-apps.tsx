"use client";

import { Stack } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { useRef, useState } from "react";

import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import { RowsSkeleton } from "@/components/ui/feedback/rows-skeleton";
import { formatCount } from "@/components/ui/text/format";
import { LoadMore } from "@/components/ui/layout/load-more";
import { Page } from "@/components/ui/layout/page";
import { AllowedApp } from "@/components/settings/allowed-apps/allowed-app";
import classes from "@/components/ui/layout/announced-list.module.css";
import type { Grant } from "@/components/settings/allowed-apps/grant";
import { NoApps } from "@/components/settings/allowed-apps/no-apps";
import { RemoveAccessDialog } from "@/components/settings/allowed-apps/remove-access-dialog";
import { useGrants } from "@/components/settings/allowed-apps/use-grants";
import { whatEnded } from "@/components/settings/end-webhooks";
import type { EndedAppAccess } from "@/lib/oauth/clients/client-schema";

function tellRemoved({ client_name }: Grant, ended: EndedAppAccess): void {
  const tokens = ended.tokens_stopped > 0 ? ` ${formatCount(ended.tokens_stopped, "access token")} stopped.` : "";
  notifications.show({
    title: "Access removed",
    message: `“${client_name}” can no longer act in your name.${tokens}${whatEnded(ended)}`,
  });
}

/** The apps that the reader has allowed to act in their name, each with a way to take that back. */
export function AllowedApps() {
  const query = useGrants();
  const [asked, setAsked] = useState<Grant | null>(null);
  const [isAsking, { open, close }] = useDisclosure();
  const list = useRef<HTMLDivElement>(null);
  const grants = query.data?.pages.flatMap((page) => page.data) ?? [];
  const ask = (grant: Grant) => {
    setAsked(grant);
    open();
  };
  const removed = (ended: EndedAppAccess) => {
    close();
    if (asked) tellRemoved(asked, ended);
    // The button that opened the dialog is gone with its app.
    list.current?.focus();
  };
  return (
    <Page
      title="Allowed apps"
      lead="What you have allowed to act in your name. You alone see this, and you can remove each one’s access."
    >
      <Stack ref={list} tabIndex={-1} component="section" aria-label="Allowed apps" className={classes.section}>
        {query.isPending && <RowsSkeleton label="Loading the apps that you have allowed" />}
        {query.isError && !query.isFetchNextPageError && (
          <ProblemAlert error={query.error} onRetry={() => void query.refetch()} />
        )}
        {query.isSuccess && grants.length === 0 && <NoApps />}
        {grants.length > 0 && (
          <Stack component="ul" className={classes.list}>
            {grants.map((grant) => (
              <AllowedApp key={grant.id} grant={grant} onRemove={() => ask(grant)} />
            ))}
          </Stack>
        )}
        <LoadMore query={query} />
      </Stack>
      <RemoveAccessDialog opened={isAsking} grant={asked} onClose={close} onRemoved={removed} />
    </Page>
  );
}
