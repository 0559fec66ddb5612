import { Paper, Stack, Text, Title } from "@mantine/core";

import type { AuditEvent } from "@/components/settings/audit-log/audit-event";
import classes from "@/components/settings/audit-log/event-list.module.css";
import { EventRow } from "@/components/settings/audit-log/event-row";
import type { AuditFilter } from "@/components/settings/audit-log/filter/filter";
import type { useAuditEvents } from "@/components/settings/audit-log/use-audit-events";
import { LoadMore } from "@/components/ui/layout/load-more";
import { formatDayName } from "@/components/ui/text/format";

interface EventListProps {
  events: readonly AuditEvent[];
  query: ReturnType<typeof useAuditEvents>;
  onNarrow: (change: Partial<AuditFilter>) => void;
}

/** The events by day, with a button that loads earlier ones. */
export function EventList({ events, query, onNarrow }: EventListProps) {
  const days = [...Map.groupBy(events, ({ created_at }) => formatDayName(created_at))];
  return (
    <Stack
      gap="lg"
      className={classes.list}
      data-stale={query.isPlaceholderData || undefined}
      aria-busy={query.isPlaceholderData || undefined}
    >
      {days.map(([day, ofDay]) => (
        <section key={day} aria-label={day}>
          <Title order={2} className={classes.day}>
            {day}
          </Title>
          <Paper withBorder component="ul" className={classes.rows}>
            {ofDay.map((event) => (
              <EventRow key={event.id} event={event} onNarrow={onNarrow} />
            ))}
          </Paper>
        </section>
      ))}
      <LoadMore
        query={query}
        end={
          <Text size="sm" c="dimmed">
            That is all of it.
          </Text>
        }
      />
    </Stack>
  );
}
