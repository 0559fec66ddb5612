import { Alert, Button, Group, Text } from "@mantine/core";
import { IconAlertTriangle, IconPlayerPause } from "@tabler/icons-react";
import type { ReactNode } from "react";

import { FailedDeliveries } from "@/components/settings/webhooks/manage/failed-deliveries";
import { formatMoment } from "@/components/ui/text/format";
import type { Webhook } from "@/lib/webhooks/endpoints/webhook-schema";

interface HealthAlertProps {
  webhook: Webhook;
  isBusy: boolean;
  onSwitchOn: () => void;
}

/** What is wrong with a webhook and how to fix it. Empty if nothing is. */
export function HealthAlert({ webhook, isBusy, onSwitchOn }: HealthAlertProps) {
  const { active, disabled_reason, disabled_at } = webhook;
  if (active) return <HealthWhileOn webhook={webhook} />;
  const switchOn = (
    <Button size="xs" variant="default" loading={isBusy} onClick={onSwitchOn}>
      Switch on
    </Button>
  );
  if (!disabled_reason) {
    return (
      <Alert color="gray" title="This webhook is off" icon={<IconPlayerPause aria-hidden />}>
        <Text size="sm">
          Events are not collected for it. What it misses can be recovered for 30 days, once it is on again.
        </Text>
        <FailedDeliveries webhook={webhook} />
        <Group mt="sm">{switchOn}</Group>
      </Alert>
    );
  }
  return (
    <Alert
      color="rust"
      title={`Switched off${disabled_at ? ` on ${formatMoment(disabled_at)}` : ""}`}
      icon={<IconAlertTriangle aria-hidden />}
    >
      <Text size="sm">{REASONS[disabled_reason]}</Text>
      <Text size="sm" mt="xs">
        <b>What to do:</b> {disabled_reason === "access_ended" ? KEEP_OR_DELETE : MEND}
      </Text>
      <FailedDeliveries webhook={webhook} />
      <Group mt="sm">{switchOn}</Group>
    </Alert>
  );
}

const REASONS: Record<NonNullable<Webhook["disabled_reason"]>, ReactNode> = {
  gone: "The endpoint answered 410, which means that it is gone permanently, so nothing is sent to it any more.",
  failing: "Nothing arrived at the endpoint for five days, so nothing is sent to it any more.",
  access_ended:
    "An app set this endpoint, and the access of the app has ended: an admin revoked the app, or the admin who had " +
    "allowed it removed its access or is no longer an admin. So nothing is sent to the endpoint any more.",
};

const MEND =
  "mend the endpoint, or name another in the settings; send a test event; switch the webhook on; then recover what " +
  "it has missed.";
const KEEP_OR_DELETE =
  "delete the webhook. If you want this endpoint to have the records of your organization all the same, switch it " +
  "on, and then recover what it has missed.";

function HealthWhileOn({ webhook }: { webhook: Webhook }) {
  const { failing_since: since, failed_deliveries, pending_deliveries } = webhook;
  if (!since && failed_deliveries === 0) return null;
  return (
    <Alert
      color="amber"
      title={since ? "Nothing arrives at the endpoint" : "Some deliveries have failed"}
      icon={<IconAlertTriangle aria-hidden />}
    >
      {since && (
        <Text size="sm">
          Every attempt since {formatMoment(since)} has failed; the deliveries say why.{" "}
          {pending_deliveries > 0 ? TRIED_AGAIN : NOT_TRIED_AGAIN}
        </Text>
      )}
      <FailedDeliveries webhook={webhook} />
    </Alert>
  );
}

const TRIED_AGAIN =
  "Those that are pending are tried again by themselves, less and less often. After five days the webhook is " +
  "switched off.";
const NOT_TRIED_AGAIN = "None is pending, so nothing is sent until another event happens.";
