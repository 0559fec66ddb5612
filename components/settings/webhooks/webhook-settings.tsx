"use client";

import { formatOf } from "@/components/settings/webhooks/example/secret-format";
import { VerifyExample } from "@/components/settings/webhooks/example/verify-example";
import { EditWebhook } from "@/components/settings/webhooks/form/edit-webhook";
import { WebhookFrame } from "@/components/settings/webhooks/frame/webhook-frame";
import { DeleteWebhook } from "@/components/settings/webhooks/manage/delete-webhook";
import { SwitchWebhook } from "@/components/settings/webhooks/manage/switch-webhook";
import { WebhookSecret } from "@/components/settings/webhooks/secret/webhook-secret";
import classes from "@/components/settings/webhooks/webhook-settings.module.css";
import { Disclosure } from "@/components/ui/layout/disclosure";

/** One webhook: its settings, and everything that can be done with it. */
export function WebhookSettings({ id }: { id: string }) {
  return (
    <WebhookFrame id={id} tab="settings">
      {(webhook) => (
        <>
          <EditWebhook webhook={webhook} />
          <WebhookSecret webhook={webhook} />
          <Disclosure title="Receive and verify, in Node and Python">
            <div className={classes.example}>
              <VerifyExample format={formatOf(webhook.is_signed, null)} />
            </div>
          </Disclosure>
          <SwitchWebhook webhook={webhook} />
          <DeleteWebhook webhook={webhook} />
        </>
      )}
    </WebhookFrame>
  );
}
