import { Paper, Text, ThemeIcon, Title } from "@mantine/core";

import { detailOf, lookOf } from "@/components/migration/history/history-words";
import classes from "@/components/migration/history/history-timeline.module.css";
import { useHistory } from "@/components/migration/history/use-history";
import { Loaded } from "@/components/ui/feedback/loaded";
import { LoadMore } from "@/components/ui/layout/load-more";
import { formatExact, formatMoment } from "@/components/ui/text/format";
import { useTimeZone } from "@/components/ui/text/use-time-zone";
import type { HistoryEntry } from "@/lib/migration/history/history-schema";
import type { Migration } from "@/lib/migration/migration-schema";

/** What happened to a migration, the latest first. */
export function HistoryTimeline({ migration }: { migration: Migration }) {
  const query = useHistory(migration);
  return (
    <Paper withBorder p={{ base: "lg", sm: "xl" }} component="section" aria-labelledby="history">
      <Title order={2} id="history" mb="md">
        What happened
      </Title>
      <Loaded query={query} loading="Loading what happened" empty="Nothing has happened yet.">
        {(entries) => (
          <>
            <ol className={classes.entries}>
              {entries.map((entry) => (
                <Entry key={entry.id} entry={entry} />
              ))}
            </ol>
            <LoadMore query={query} />
          </>
        )}
      </Loaded>
    </Paper>
  );
}

function Entry({ entry }: { entry: HistoryEntry }) {
  const { icon: Icon, color, title } = lookOf(entry);
  const detail = detailOf(entry);
  const timeZone = useTimeZone();
  return (
    <li className={classes.entry}>
      <ThemeIcon variant="light" color={color} size={28} radius="xl" className={classes.icon} aria-hidden>
        <Icon size={16} stroke={1.8} />
      </ThemeIcon>
      <div className={classes.words}>
        <Text size="sm" fw={600}>
          {title(entry)}
        </Text>
        {detail && (
          <Text size="sm" c="dimmed">
            {detail}
          </Text>
        )}
        <Text size="xs" c="dimmed">
          <time dateTime={entry.created_at} title={formatExact(entry.created_at, timeZone)}>
            {formatMoment(entry.created_at, timeZone)}
          </time>
          {entry.user_name !== null && (
            <>
              , by <bdi>{entry.user_name}</bdi>
            </>
          )}
        </Text>
      </div>
    </li>
  );
}
