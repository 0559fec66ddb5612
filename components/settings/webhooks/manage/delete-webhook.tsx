"use client";

import { DeleteForm } from "@/components/settings/webhooks/manage/delete-form";
import { nameOf } from "@/components/settings/webhooks/webhook";
import { DangerSection } from "@/components/ui/overlay/danger-section";
import type { Webhook } from "@/lib/webhooks/endpoints/webhook-schema";

/** Deletes a webhook. */
export function DeleteWebhook({ webhook }: { webhook: Webhook }) {
  return (
    <DangerSection
      title="Delete this webhook"
      lead="For ever, with its secret and the log of its deliveries. To stop it for a while, switch it off instead."
      action="Delete the webhook"
      verb="Delete"
      name={nameOf(webhook)}
    >
      {(onCancel) => <DeleteForm webhook={webhook} onCancel={onCancel} />}
    </DangerSection>
  );
}
