import { Input, Stack, Text } from "@mantine/core";
import { type ReactNode, useId } from "react";

import { actionName, EVENT_GROUPS, EVERYTHING, type EventGroup } from "@/components/settings/webhooks/event-names";
import { EventBox } from "@/components/settings/webhooks/form/event-box";
import { countOf, toggled } from "@/components/settings/webhooks/form/event-choice";
import classes from "@/components/settings/webhooks/form/event-picker.module.css";
import { Announcement } from "@/components/ui/feedback/announcement";
import fieldset from "@/components/ui/form/fieldset.module.css";
import { formatCount } from "@/components/ui/text/format";

interface EventPickerProps {
  /** The boxes that are ticked: events, `case.*`, `*`. */
  value: readonly string[];
  onChange: (value: string[]) => void;
  error: ReactNode;
}

/**
 * A box for each event, by kind of record. A box that another one includes is shown as ticked and cannot be changed.
 */
export function EventPicker({ value, onChange, error }: EventPickerProps) {
  const help = useId();
  const hasEverything = value.includes(EVERYTHING);
  const toggle = (box: string) => onChange(toggled(value, box));
  const count = countOf(value);
  return (
    <fieldset className={fieldset.plain} aria-describedby={help} data-fault={error ? true : undefined}>
      <Input.Label component="legend" required labelElement="div">
        Events
      </Input.Label>
      <Text id={help} size="xs" c="dimmed" mb="xs">
        The events that the receiver gets.{" "}
        {count === 0 ? "None is chosen yet." : `${formatCount(count, "event")} chosen.`}
      </Text>
      <div className={classes.everything}>
        <EventBox name={EVERYTHING} label="Everything" isTicked={hasEverything} onToggle={toggle} />
      </div>
      <div className={classes.groups}>
        {EVENT_GROUPS.map((group) => (
          <Group key={group.entity} group={group} ticked={value} isIncluded={hasEverything} onToggle={toggle} />
        ))}
      </div>
      {error && <Input.Error mt="xs">{error}</Input.Error>}
      <Announcement>{count > 0 && `${formatCount(count, "event")} chosen`}</Announcement>
    </fieldset>
  );
}

interface GroupProps {
  group: EventGroup;
  ticked: readonly string[];
  isIncluded: boolean;
  onToggle: (box: string) => void;
}

function Group({ group: { label, wildcard, events }, ticked, isIncluded, onToggle }: GroupProps) {
  const hasAll = isIncluded || ticked.includes(wildcard);
  const isPartly = !hasAll && events.some((event) => ticked.includes(event));
  return (
    <fieldset className={classes.group}>
      <legend>{label}</legend>
      <Stack gap="xs" className={classes.rows}>
        <div className={classes.all}>
          <EventBox
            name={wildcard}
            label="All events"
            isTicked={hasAll}
            isPartly={isPartly}
            isIncluded={isIncluded}
            onToggle={onToggle}
          />
        </div>
        {events.map((event) => (
          <EventBox
            key={event}
            name={event}
            label={actionName(event)}
            isTicked={hasAll || ticked.includes(event)}
            isIncluded={hasAll}
            onToggle={onToggle}
          />
        ))}
      </Stack>
    </fieldset>
  );
}
