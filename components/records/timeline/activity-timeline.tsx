import { Badge, Button, Group, Paper, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useRef } from "react";
import { flushSync } from "react-dom";

import { queryKeys } from "@/components/api/query-keys";
import { SHORT_PAGE, useList } from "@/components/api/use-list";
import { type AnyRecord, textOf, titleOf } from "@/components/records/record";
import classes from "@/components/records/timeline/activity-timeline.module.css";
import { LogActivity } from "@/components/records/timeline/log-activity";
import { Loaded } from "@/components/ui/feedback/loaded";
import { LoadMore } from "@/components/ui/layout/load-more";
import { formatClock, formatDay, formatDayName, inWords } from "@/components/ui/text/format";
import { TextLink } from "@/components/ui/text/links";
import { Moment } from "@/components/ui/text/moment";
import { useTimeZone } from "@/components/ui/text/use-time-zone";

interface ActivityTimelineProps {
  /** The field by which activities refer to the record: "contact_id". */
  field: string;
  item: AnyRecord;
}

/** What happened with a record, by day, the newest first; and a form that logs more. */
export function ActivityTimeline({ field, item }: ActivityTimelineProps) {
  const [isOpen, { open, close }] = useDisclosure();
  const opener = useRef<HTMLButtonElement>(null);
  const closeForm = () => {
    const { activeElement: focused, body } = document;
    flushSync(close);
    // Who has gone on elsewhere meanwhile stays there.
    if (focused === body || !focused?.isConnected) opener.current?.focus();
  };
  const query = useList<AnyRecord>({
    queryKey: queryKeys.timeline(field, item.id),
    path: `/activities?${field}=${item.id}&limit=${SHORT_PAGE}`,
  });
  return (
    <Paper withBorder p="lg" component="section" aria-labelledby="timeline">
      <Group justify="space-between" mb="md">
        <Title order={2} size="h3" id="timeline">
          Timeline
        </Title>
        {!isOpen && (
          <Button ref={opener} variant="default" size="compact-sm" onClick={open}>
            Log an activity
          </Button>
        )}
      </Group>
      {isOpen && <LogActivity field={field} item={item} onDone={closeForm} />}
      <Loaded query={query} loading="Loading the timeline" empty="Nothing is logged yet.">
        {(activities) => (
          <>
            <Days activities={activities} />
            <LoadMore query={query} end={null} />
          </>
        )}
      </Loaded>
    </Paper>
  );
}

/** The days with their activities, in the order of the list: by creation. */
function Days({ activities }: { activities: readonly AnyRecord[] }) {
  const timeZone = useTimeZone();
  const days = Map.groupBy(activities, (activity) => formatDayName(activity.created_at, new Date(), timeZone));
  return [...days].map(([day, entries]) => (
    <div key={day} className={classes.day}>
      {/* The day may end between the server and the browser. */}
      <Text component="h3" size="sm" c="dimmed" fw={600} suppressHydrationWarning>
        {day}
      </Text>
      <ol className={classes.entries}>
        {entries.map((activity) => (
          <Entry key={activity.id} activity={activity} />
        ))}
      </ol>
    </div>
  ));
}

function Entry({ activity }: { activity: AnyRecord }) {
  const status = textOf(activity, "status");
  return (
    <li className={classes.entry}>
      <Group gap="xs">
        <Text component="span" size="sm" c="dimmed">
          <time dateTime={activity.created_at}>{formatClock(activity.created_at, useTimeZone())}</time>{" "}
          {inWords(textOf(activity, "type"))}
        </Text>
        <TextLink href={`/activities/${activity.id}`} size="sm" fw={600}>
          <bdi>{titleOf("activities", activity) || "(no subject)"}</bdi>
        </TextLink>
        {status !== "" && status !== "completed" && (
          <Badge size="sm" color="amber">
            {inWords(status)}
          </Badge>
        )}
        <When activity={activity} />
      </Group>
      {textOf(activity, "description") && (
        <Text size="sm" className={classes.text} lineClamp={4} dir="auto">
          {textOf(activity, "description")}
        </Text>
      )}
    </li>
  );
}

/** When an activity takes place or is due, if it says so. */
function When({ activity }: { activity: AnyRecord }) {
  const [start, due] = [textOf(activity, "start_at"), textOf(activity, "due_date")];
  if (!start && !due) return null;
  return (
    <Text component="span" size="sm" c="dimmed">
      {start ? (
        <>
          on <Moment iso={start} />
        </>
      ) : (
        `due ${formatDay(due)}`
      )}
    </Text>
  );
}
