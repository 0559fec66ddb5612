import { Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";

import { queryKeys } from "@/components/api/query-keys";
import { getJson } from "@/components/api/request";
import type { Page } from "@/components/api/use-list";
import classes from "@/components/home/under-way.module.css";
import { type AnyRecord, textOf, titleOf } from "@/components/records/record";
import { Loaded } from "@/components/ui/feedback/loaded";
import { Section } from "@/components/ui/layout/section";
import { formatDay } from "@/components/ui/text/format";
import { TextLink } from "@/components/ui/text/links";
import { dayOf } from "@/components/ui/text/time-zone";
import { ENTITIES } from "@/lib/records/schema/registry";

const SHOWN = 10;

const CLOSED = new Set(["completed", "cancelled"]);

const OPEN = (ENTITIES.activities.fields.status.values ?? []).filter((status) => !CLOSED.has(status));

/** What the reader has still to do, what is due first at the top. */
export function OpenTasks({ userId }: { userId: string }) {
  const query = useOpenTasks(userId);
  return (
    <Section
      title="My open tasks"
      action={
        <TextLink href={`/activities?owner_id=${userId}&sort=due_date`} size="sm">
          All my activities
        </TextLink>
      }
    >
      <Loaded query={query} loading="Loading your tasks" empty="You have no open tasks.">
        {(tasks) => (
          <>
            {tasks.length > SHOWN && (
              <Text size="sm" c="dimmed">
                The first {SHOWN}:
              </Text>
            )}
            <ol className={classes.list}>
              {firstDue(tasks).map((task) => (
                <Task key={task.id} task={task} />
              ))}
            </ol>
          </>
        )}
      </Loaded>
    </Section>
  );
}

function Task({ task }: { task: AnyRecord }) {
  const day = textOf(task, "due_date");
  return (
    <li className={classes.row}>
      <Group justify="space-between" gap="sm">
        <TextLink href={`/activities/${task.id}`} fw={600} className={classes.name}>
          <bdi>{titleOf("activities", task) || "(no subject)"}</bdi>
        </TextLink>
        {day && (
          <Text size="sm" c="dimmed">
            {dueWords(day)}
          </Text>
        )}
      </Group>
    </li>
  );
}

function dueWords(day: string, today = dayOf(new Date())): string {
  return `${day < today ? "Overdue since" : "Due"} ${formatDay(day)}`;
}

/**
 * A list has one status, so that of each is asked for; one after the other, since others work too. One more than are
 * shown tells that there are more.
 */
function useOpenTasks(userId: string) {
  return useQuery({
    queryKey: queryKeys.openTasks(userId),
    queryFn: async ({ signal }) => {
      const tasks: AnyRecord[] = [];
      for (const status of OPEN) {
        const narrowed = `owner_id=${userId}&status=${status}&sort=due_date&limit=${SHOWN + 1}`;
        tasks.push(...(await getJson<Page<AnyRecord>>(`/activities?${narrowed}`, signal)).data);
      }
      return tasks;
    },
  });
}

/** The first of several lists by their day; those without one come last. */
export function firstDue(tasks: readonly AnyRecord[]): AnyRecord[] {
  return tasks.toSorted((a, b) => sortKey(a).localeCompare(sortKey(b))).slice(0, SHOWN);
}

function sortKey(task: AnyRecord): string {
  return textOf(task, "due_date") || "9999-12-31";
}
