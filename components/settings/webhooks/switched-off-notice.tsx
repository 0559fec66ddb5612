"use client";

import { Alert } from "@mantine/core";
import { IconWebhookOff } from "@tabler/icons-react";
import { usePathname } from "next/navigation";

import classes from "@/components/settings/webhooks/switched-off-notice.module.css";
import { nameOf } from "@/components/settings/webhooks/webhook";
import { TextLink } from "@/components/ui/text/links";
import type { Webhook } from "@/lib/webhooks/endpoints/webhook-schema";

/** More would push the page down. The list of webhooks has them all. */
const MAX_SHOWN = 3;

type Reason = Exclude<Webhook["disabled_reason"], null | "access_ended">;
type SwitchedOff = Pick<Webhook, "id" | "url" | "description"> & { disabled_reason: Reason };

const WHY: Record<Reason, string> = {
  gone: "its endpoint says that it is gone",
  failing: "nothing arrived at its endpoint for five days",
};

/** Shows admins, on every page, which webhooks the service has switched off. Not on those webhooks' own pages. */
export function SwitchedOffNotice({ webhooks: all }: { webhooks: readonly SwitchedOff[] }) {
  const pathname = usePathname();
  const webhooks = all.filter(({ id }) => !`${pathname}/`.startsWith(`/settings/webhooks/${id}/`));
  if (webhooks.length === 0) return null;
  return (
    <section className={classes.notice} aria-label="Webhooks that were switched off">
      <Alert
        color="rust"
        icon={<IconWebhookOff aria-hidden />}
        title={webhooks.length === 1 ? "A webhook was switched off" : "Webhooks were switched off"}
      >
        <ul className={classes.list}>
          {webhooks.slice(0, MAX_SHOWN).map((webhook) => (
            <li key={webhook.id}>
              <TextLink href={`/settings/webhooks/${webhook.id}`} inherit c="inherit" underline="always">
                <bdi>{nameOf(webhook)}</bdi>
              </TextLink>
              : {WHY[webhook.disabled_reason]}, so nothing is sent to it.
            </li>
          ))}
          {webhooks.length > MAX_SHOWN && (
            <li>
              <TextLink href="/settings/webhooks" inherit c="inherit" underline="always">
                and {webhooks.length - MAX_SHOWN} more
              </TextLink>
            </li>
          )}
        </ul>
      </Alert>
    </section>
  );
}
