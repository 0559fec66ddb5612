import { Checkbox, Paper } from "@mantine/core";

import classes from "@/components/migration/configure/object-choice.module.css";
import type { Configuration } from "@/lib/migration/schemas";
import { IMPORT_DELIVERIES_PER_SECOND } from "@/lib/webhooks/import-rate";

interface SendEventsChoiceProps {
  draft: Configuration;
  isLocked: boolean;
  onChange: (draft: Configuration) => void;
}

/** Whether webhooks hear of what is imported. */
export function SendEventsChoice({ draft, isLocked, onChange }: SendEventsChoiceProps) {
  return (
    <Paper withBorder className={classes.object} data-selected={draft.send_events || undefined} p="md">
      <Checkbox
        checked={draft.send_events}
        disabled={isLocked}
        onChange={(event) => onChange({ ...draft, send_events: event.currentTarget.checked })}
        label="Send events of imported records to webhooks"
        description={`Each record that is created or changed is then told as if somebody had done it here. A webhook is sent at most ${IMPORT_DELIVERIES_PER_SECOND} of them a second, so that many records take a while. Otherwise nothing is sent.`}
        classNames={{ label: classes.label }}
      />
    </Paper>
  );
}
