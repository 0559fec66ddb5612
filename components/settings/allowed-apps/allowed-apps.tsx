"use client";

import { Stack } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconPlugConnected } from "@tabler/icons-react";

import { queryKeys } from "@/components/api/query-keys";
import { useList } from "@/components/api/use-list";
import { AllowedApp } from "@/components/settings/allowed-apps/allowed-app";
import type { Grant } from "@/components/settings/allowed-apps/grant";
import { RemoveAccessDialog } from "@/components/settings/allowed-apps/remove-access-dialog";
import { whatEnded } from "@/components/settings/end-webhooks";
import { SETTINGS } from "@/components/settings/settings-links";
import { EmptyList } from "@/components/ui/feedback/empty-list";
import { Loaded } from "@/components/ui/feedback/loaded";
import { useDialog } from "@/components/ui/overlay/use-dialog";
import classes from "@/components/ui/layout/announced-list.module.css";
import { LoadMore } from "@/components/ui/layout/load-more";
import { Page } from "@/components/ui/layout/page";
import { formatCount } from "@/components/ui/text/format";
import type { EndedAppAccess } from "@/lib/oauth/clients/client-schema";

/** The apps that the reader has allowed to act in their name, each with a button that takes that back. */
export function AllowedApps() {
  const query = useList<Grant>({ queryKey: queryKeys.grants(), path: "/settings/grants" });
  const removal = useDialog<Grant>();
  const removed = (ended: EndedAppAccess) => {
    removal.close();
    if (removal.subject) notifyRemoved(removal.subject, ended);
  };
  return (
    <Page
      title="Allowed apps"
      parent={SETTINGS}
      lead="What you have allowed to act in your name. You alone see this, and you can remove each one’s access."
    >
      <Stack component="section" aria-label="Allowed apps">
        <Loaded query={query} loading="Loading the apps that you have allowed" empty={<NoApps />}>
          {(grants) => (
            <Stack component="ul" className={classes.list}>
              {grants.map((grant) => (
                <AllowedApp key={grant.id} grant={grant} onRemove={() => removal.open(grant)} />
              ))}
            </Stack>
          )}
        </Loaded>
        <LoadMore query={query} />
      </Stack>
      <RemoveAccessDialog opened={removal.isOpen} grant={removal.subject} onClose={removal.close} onRemoved={removed} />
    </Page>
  );
}

function NoApps() {
  return (
    <EmptyList
      icon={IconPlugConnected}
      title="You have allowed no app"
      description={
        "When an app asks to act in your name and you allow it, it appears here, and you can remove its access."
      }
    />
  );
}

function notifyRemoved({ client_name }: Grant, ended: EndedAppAccess): void {
  const tokens = ended.tokens_stopped > 0 ? ` ${formatCount(ended.tokens_stopped, "access token")} stopped.` : "";
  notifications.show({
    title: "Access removed",
    message: `“${client_name}” can no longer act in your name.${tokens}${whatEnded(ended)}`,
  });
}
