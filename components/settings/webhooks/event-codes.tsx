import { Code, Text } from "@mantine/core";

import classes from "@/components/settings/webhooks/event-codes.module.css";
import { EVERYTHING, eventName } from "@/components/settings/webhooks/event-names";
import { ShortList } from "@/components/ui/text/short-list";

/**
 * The events that a webhook subscribes to, by the names that its receiver gets, with words as tooltips: at most four of
 * them with `inShort`, as in a row of a table. The pattern for all of them is a word.
 */
export function EventCodes({ events, inShort = false }: { events: readonly string[]; inShort?: boolean }) {
  return (
    <ShortList items={events} max={inShort ? 4 : undefined} className={classes.list}>
      {(event) =>
        event === EVERYTHING ? (
          <Text inherit span>
            {eventName(event)}
          </Text>
        ) : (
          <Code title={eventName(event)}>{event}</Code>
        )
      }
    </ShortList>
  );
}
