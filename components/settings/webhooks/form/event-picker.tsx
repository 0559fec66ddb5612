import { Stack } from "@mantine/core";
import type { ReactNode } from "react";

import { actionName, EVENT_GROUPS, EVERYTHING, type EventGroup } from "@/components/settings/webhooks/event-names";
import { EventBox } from "@/components/settings/webhooks/form/event-box";
import { countOf, toggled } from "@/components/settings/webhooks/form/event-choice";
import classes from "@/components/settings/webhooks/form/event-picker.module.css";
import { Announcement } from "@/components/ui/feedback/announcement";
import { FieldGroup } from "@/components/ui/form/field-group";
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
  const hasEverything = value.includes(EVERYTHING);
  const toggle = (box: string) => onChange(toggled(value, box));
  const count = countOf(value);
  return (
    <FieldGroup
      label="Events"
      help={
        <>
          The events that the receiver gets, at least one.{" "}
          {count === 0 ? "None is chosen yet." : `${formatCount(count, "event")} chosen.`}
        </>
      }
      error={error}
    >
      <div className={classes.everything}>
        <EventBox name={EVERYTHING} label="Everything" isTicked={hasEverything} onToggle={toggle} />
      </div>
      <div className={classes.groups}>
        {EVENT_GROUPS.map((group) => (
          <Group key={group.entity} group={group} ticked={value} isIncluded={hasEverything} onToggle={toggle} />
        ))}
      </div>
      <Announcement>{count > 0 && `${formatCount(count, "event")} chosen`}</Announcement>
    </FieldGroup>
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
