import { Checkbox } from "@mantine/core";

import { formatCount } from "@/components/ui/text/format";
import { TextLink } from "@/components/ui/text/links";
import type { EndedAppAccess, OauthClient } from "@/lib/oauth/clients/client-schema";

type Webhooks = OauthClient["webhooks"];

interface EndWebhooksProps {
  webhooks: Webhooks;
  isChecked: boolean;
  onChange: (isChecked: boolean) => void;
}

/** Asks whether the webhooks that an app has set up are switched off when its access ends. Empty if there are none. */
export function EndWebhooks({ webhooks, isChecked, onChange }: EndWebhooksProps) {
  if (webhooks.length === 0) return null;
  const isOne = webhooks.length === 1;
  const them = isOne ? "the webhook" : `the ${formatCount(webhooks.length, "webhook")}`;
  return (
    <Checkbox
      checked={isChecked}
      onChange={(event) => onChange(event.currentTarget.checked)}
      label={`Switch off ${them} that it set up`}
      description={
        <>
          {isOne ? "It sends" : "They send"} your records to <b>{hostsIn(webhooks)}</b>.{" "}
          {isOne
            ? "If you leave it on, it keeps sending them as a webhook"
            : "If you leave them on, they keep sending them as webhooks"}{" "}
          of your own.
        </>
      }
      styles={{ label: { overflowWrap: "anywhere" }, description: { overflowWrap: "anywhere" } }}
    />
  );
}

function hostsIn(webhooks: Webhooks): string {
  return [...new Set(webhooks.map(({ host }) => host))].join(", ");
}

/** " 2 webhooks were switched off.", to follow another sentence; empty if there were none. */
export function whatEnded({ webhooks_switched_off: off = 0, webhooks_kept: kept = 0 }: EndedAppAccess): string {
  const [count, what] = off > 0 ? [off, "switched off"] : [kept, "kept"];
  return count === 0 ? "" : ` ${formatCount(count, "webhook")} ${count === 1 ? "was" : "were"} ${what}.`;
}

/** Links to the webhooks that an app has set up and that are on, by their hosts. */
export function WebhookLinks({ webhooks }: { webhooks: Webhooks }) {
  if (webhooks.length === 0) return <>none</>;
  return webhooks.map(({ id, host }, index) => (
    <span key={id}>
      {index > 0 && ", "}
      <TextLink href={`/settings/webhooks/${id}`} inherit>
        {host}
      </TextLink>
    </span>
  ));
}
