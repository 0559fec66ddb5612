import { Code, Text } from "@mantine/core";

import classes from "@/components/settings/webhooks/event-codes.module.css";
import { eventName } from "@/components/settings/webhooks/event-names";

/** What a row of a table shows of a webhook that subscribes to many. */
const SHOWN = 4;

/** What a webhook subscribes to, by the names that a receiver meets; pointing at one tells it in words. */
export function EventCodes({ events, inShort = false }: { events: readonly string[]; inShort?: boolean }) {
  const shown = inShort ? events.slice(0, SHOWN) : events;
  const more = events.length - shown.length;
  return (
    <ul className={classes.list}>
      {shown.map((event) => (
        <li key={event}>
          <Code title={eventName(event)}>{event}</Code>
        </li>
      ))}
      {more > 0 && (
        <Text component="li" size="xs" c="dimmed">
          and {more} more
        </Text>
      )}
    </ul>
  );
}
