"use client";

import type { ReactNode } from "react";

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
            <HealthAlert webhook={loaded} isBusy={toggle.isPending} onSwitchOn={() => toggle.mutate(true)} />
            <Announcement>{toggle.isSuccess && loaded.active && "The webhook is on."}</Announcement>
            <WebhookTabs id={id} current={tab} />
            {children(loaded)}
          </>
        )}
      </Loaded>
    </Page>
  );
}
