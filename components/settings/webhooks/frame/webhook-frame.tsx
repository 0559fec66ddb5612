"use client";

import { Box } from "@mantine/core";
import { type ReactNode, useRef } from "react";

import { type WebhookTab, WebhookTabs } from "@/components/settings/webhooks/frame/webhook-tabs";
import { HealthAlert } from "@/components/settings/webhooks/manage/health-alert";
import { useSwitch } from "@/components/settings/webhooks/manage/use-switch";
import { useWebhook } from "@/components/settings/webhooks/use-webhooks";
import { nameOf } from "@/components/settings/webhooks/webhook";
import { WebhookState } from "@/components/settings/webhooks/webhook-state";
import { Announcement } from "@/components/ui/feedback/announcement";
import { Loaded } from "@/components/ui/feedback/loaded";
import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import { Page } from "@/components/ui/layout/page";
import type { Webhook } from "@/lib/webhooks/endpoints/webhook-schema";

interface WebhookFrameProps {
  id: string;
  tab: WebhookTab;
  children: (webhook: Webhook) => ReactNode;
}

/** What both pages of a webhook show: its name, its state, and what is wrong with it. */
export function WebhookFrame({ id, tab, children }: WebhookFrameProps) {
  const query = useWebhook(id);
  const toggle = useSwitch(id);
  const webhook = query.data;
  const tabs = useRef<HTMLDivElement>(null);
  // The pressed button disappears.
  const switchOn = () => toggle.mutate(true, { onSuccess: () => tabs.current?.focus() });
  return (
    <Page
      title={webhook ? nameOf(webhook) : "Webhook"}
      parent={{ href: "/settings/webhooks", name: "Webhooks" }}
      actions={webhook && <WebhookState webhook={webhook} size="lg" />}
    >
      <Loaded query={query} loading="Loading the webhook" list={{ href: "/settings/webhooks", name: "All webhooks" }}>
        {(loaded) => (
          <>
            {toggle.isError && <ProblemAlert error={toggle.error} takesFocus />}
            <HealthAlert webhook={loaded} isBusy={toggle.isPending} onSwitchOn={switchOn} />
            <Announcement>{toggle.isSuccess && loaded.active && "The webhook is on."}</Announcement>
            <Box ref={tabs} tabIndex={-1} style={{ outline: "none" }}>
              <WebhookTabs id={id} current={tab} />
            </Box>
            {children(loaded)}
          </>
        )}
      </Loaded>
    </Page>
  );
}
