"use client";

import { Paper } from "@mantine/core";
import { useState } from "react";

import { CreateWebhook } from "@/components/settings/webhooks/form/create-webhook";
import { CreatedWebhook } from "@/components/settings/webhooks/new/created-webhook";
import { Page } from "@/components/ui/layout/page";
import type { WebhookWithSecret } from "@/lib/webhooks/endpoints/webhook-schema";

interface Created {
  webhook: WebhookWithSecret;
  ownSecret: string | null;
}

/** A form for a new webhook; afterwards its secret, shown once. */
export function NewWebhook() {
  const [created, setCreated] = useState<Created | null>(null);
  if (created) return <CreatedWebhook {...created} />;
  return (
    <Page
      title="Create a webhook"
      lead="Each event that you choose is sent to your endpoint as it happens, and is repeated if it does not arrive."
      parent={{ href: "/settings/webhooks", name: "Webhooks" }}
    >
      <Paper withBorder p={{ base: "lg", sm: "xl" }}>
        <CreateWebhook onCreated={(webhook, ownSecret) => setCreated({ webhook, ownSecret })} />
      </Paper>
    </Page>
  );
}
