import { Alert, Button, Group, Text } from "@mantine/core";
import { IconAlertTriangle, IconPlayerPause } from "@tabler/icons-react";
import type { ReactNode } from "react";

import { formatMoment } from "@/components/layout/format";
import type { Webhook } from "@/lib/webhooks/webhook-schema";

interface HealthAlertProps {
  webhook: Webhook;
  isBusy: boolean;
  onSwitchOn: () => void;
}

/** What is wrong with a webhook and how to mend it; nothing when all is well. */
export function HealthAlert({ webhook, isBusy, onSwitchOn }: HealthAlertProps) {
  const { active, disabled_reason, disabled_at, failing_since } = webhook;
  if (active) return failing_since && <Failing since={failing_since} />;
  const switchOn = (
    <Button size="xs" variant="default" loading={isBusy} onClick={onSwitchOn}>
      Switch on
    </Button>
  );
  if (!disabled_reason) {
    return (
      <Alert color="gray" title="This webhook is off" icon={<IconPlayerPause aria-hidden />}>
        <Text size="sm">Events are not collected for it. What it misses can be recovered for 30 days, once it is on again.</Text>
        <Group mt="sm">{switchOn}</Group>
      </Alert>
    );
  }
  return (
    <Alert color="rust" title={`Switched off${disabled_at ? ` on ${formatMoment(disabled_at)}` : ""}`} icon={<IconAlertTriangle aria-hidden />}>
      <Text size="sm">{REASONS[disabled_reason]}</Text>
      <Text size="sm" mt="xs">
        <b>What to do:</b> mend the endpoint, or name another in the settings; send a test event; switch the webhook on; then recover what it has
        missed.
      </Text>
      <Group mt="sm">{switchOn}</Group>
    </Alert>
  );
}

const REASONS: Record<NonNullable<Webhook["disabled_reason"]>, ReactNode> = {
  gone: "The endpoint answered 410, which says that it is gone for ever, so nothing is sent to it any more.",
  failing: "For five days nothing arrived at the endpoint, so nothing is sent to it any more.",
};

function Failing({ since }: { since: string }) {
  return (
    <Alert color="amber" title="Nothing arrives at the endpoint" icon={<IconAlertTriangle aria-hidden />}>
      <Text size="sm">
        Every attempt since {formatMoment(since)} has failed; the deliveries say why. They are tried again by themselves, less and less often. After
        five days the webhook is switched off.
      </Text>
    </Alert>
  );
}
