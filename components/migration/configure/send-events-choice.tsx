import { Checkbox, Paper, Stack, Title } from "@mantine/core";

import classes from "@/components/migration/configure/send-events-choice.module.css";
import type { Configuration } from "@/lib/migration/configuration/configuration-schema";
import { MAX_IMPORT_DELIVERIES_PER_SECOND } from "@/lib/webhooks/deliveries/delivery-schema";

interface SendEventsChoiceProps {
  draft: Configuration;
  isLocked: boolean;
  onChange: (draft: Configuration) => void;
}

const SENT =
  "Webhooks then get an event for each record that is created or changed, as if somebody had done it here. " +
  `Each webhook gets at most ${MAX_IMPORT_DELIVERIES_PER_SECOND} events a second, so many records take a while. ` +
  "Without a tick, nothing is sent.";

/** Whether webhooks get events of imported records. */
export function SendEventsChoice({ draft, isLocked, onChange }: SendEventsChoiceProps) {
  return (
    <Stack gap="sm">
      <Title order={2}>Notifications</Title>
      <Paper withBorder py="md" px="lg">
        <Checkbox
          checked={draft.send_events}
          disabled={isLocked}
          onChange={(event) => onChange({ ...draft, send_events: event.currentTarget.checked })}
          label="Send events of imported records to webhooks"
          description={SENT}
          classNames={{ label: classes.label, description: classes.description }}
        />
      </Paper>
    </Stack>
  );
}
