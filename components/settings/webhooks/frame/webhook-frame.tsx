"use client";

import { Box } from "@mantine/core";
import { type ReactNode, useRef } from "react";

import { Announcement } from "@/components/ui/feedback/announcement";
import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import { RowsSkeleton } from "@/components/ui/feedback/rows-skeleton";
import { Page } from "@/components/ui/layout/page";
import { HealthAlert } from "@/components/settings/webhooks/manage/health-alert";
import { useSwitch } from "@/components/settings/webhooks/manage/use-switch";
import { useWebhook } from "@/components/settings/webhooks/use-webhooks";
import { nameOf } from "@/components/settings/webhooks/webhook";
import { WebhookState } from "@/components/settings/webhooks/webhook-state";
import { type WebhookTab, WebhookTabs } from "@/components/settings/webhooks/frame/webhook-tabs";
import { TextLink } from "@/components/ui/text/text-link";
import type { Webhook } from "@/lib/webhooks/endpoints/webhook-schema";

interface WebhookFrameProps {
  id: string;
  tab: WebhookTab;
  children: (webhook: Webhook) => ReactNode;
}

/** What both sides of a webhook have in common: its name, its state, and what is wrong with it. */
export function WebhookFrame({ id, tab, children }: WebhookFrameProps) {
  const query = useWebhook(id);
  const toggle = useSwitch(id);
  const webhook = query.data;
  const tabs = useRef<HTMLDivElement>(null);
  // The button that was pressed goes away.
  const switchOn = () => toggle.mutate(true, { onSuccess: () => tabs.current?.focus() });
  return (
    <Page
      title={webhook ? nameOf(webhook) : "Webhook"}
      above={
        <TextLink href="/settings/webhooks" size="sm">
          Webhooks
        </TextLink>
      }
      actions={webhook && <WebhookState webhook={webhook} size="lg" />}
    >
      {query.isPending && <RowsSkeleton label="Loading the webhook" />}
      {query.isError && !webhook && (
        <ProblemAlert
          error={query.error}
          onRetry={() => void query.refetch()}
          list={{ href: "/settings/webhooks", name: "All webhooks" }}
        />
      )}
      {webhook && (
        <>
          {toggle.isError && <ProblemAlert error={toggle.error} takesFocus />}
          <HealthAlert webhook={webhook} isBusy={toggle.isPending} onSwitchOn={switchOn} />
          <Announcement>{toggle.isSuccess && webhook.active && "The webhook is on."}</Announcement>
          <Box ref={tabs} tabIndex={-1} style={{ outline: "none" }}>
            <WebhookTabs id={id} current={tab} />
          </Box>
          {children(webhook)}
        </>
      )}
    </Page>
  );
}
