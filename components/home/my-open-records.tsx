import { Group, Text, VisuallyHidden } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";

import { queryKeys } from "@/components/api/query-keys";
import { getJson } from "@/components/api/request";
import type { Page } from "@/components/api/use-list";
import classes from "@/components/home/under-way.module.css";
import { type AnyRecord, textOf, titleOf } from "@/components/records/record";
import { Loaded } from "@/components/ui/feedback/loaded";
import { Section } from "@/components/ui/layout/section";
import { formatDay, inWords } from "@/components/ui/text/format";
import { TextLink } from "@/components/ui/text/links";
import { dayOf } from "@/components/ui/text/time-zone";
import { ME } from "@/lib/records/schema/list-address";
import { ENTITIES } from "@/lib/records/schema/registry";

const SHOWN = 10;

const CLOSED = new Set(["completed", "cancelled", "resolved", "closed"]);

interface Kind {
  resource: "activities" | "cases";
  /** In running text: "tasks". */
  names: string;
  /** The order of the list; empty for the newest first. */
  order: string;
  noteOf: (item: AnyRecord) => string;
}

const TASKS: Kind = { resource: "activities", names: "tasks", order: "&sort=due_date", noteOf: dueWords };

const CASES: Kind = { resource: "cases", names: "cases", order: "", noteOf: stateWords };

/** What the reader has still to do, what is due first at the top. */
export function MyOpenTasks() {
  return <MyOpenRecords kind={TASKS} />;
}

/** The cases that the reader has still to resolve, the newest at the top. */
export function MyOpenCases() {
  return <MyOpenRecords kind={CASES} />;
}

function MyOpenRecords({ kind }: { kind: Kind }) {
  const { resource, names } = kind;
  const query = useMyOpen(kind);
  return (
    <Section
      title={`My open ${names}`}
      action={
        <TextLink href={`/${resource}?${narrowingOf(kind)}`} size="sm">
          All of them<VisuallyHidden>: my open {names}</VisuallyHidden>
        </TextLink>
      }
    >
      <Loaded query={query} loading={`Loading your ${names}`} empty={`You have no open ${names}.`}>
        {(items) => (
          <>
            {items.length > SHOWN && (
              <Text size="sm" c="dimmed">
                The first {SHOWN}:
              </Text>
            )}
            <ol className={classes.list}>
              {items.slice(0, SHOWN).map((item) => (
                <Row key={item.id} kind={kind} item={item} />
              ))}
            </ol>
          </>
        )}
      </Loaded>
    </Section>
  );
}

function Row({ kind: { resource, noteOf }, item }: { kind: Kind; item: AnyRecord }) {
  const note = noteOf(item);
  return (
    <li className={classes.row}>
      <Group justify="space-between" gap="sm">
        <TextLink href={`/${resource}/${item.id}`} fw={600} className={classes.name}>
          <bdi>{titleOf(resource, item) || "(no subject)"}</bdi>
        </TextLink>
        {note && (
          <Text size="sm" c="dimmed">
            {note}
          </Text>
        )}
      </Group>
    </li>
  );
}

function dueWords(task: AnyRecord): string {
  const day = textOf(task, "due_date");
  return day && `${day < dayOf(new Date()) ? "Overdue since" : "Due"} ${formatDay(day)}`;
}

function stateWords(item: AnyRecord): string {
  return ["priority", "status"].map((name) => inWords(textOf(item, name))).join(" · ");
}

/** The parameters of the list, of the API as well as of its page. */
function narrowingOf({ resource, order }: Kind): string {
  const statuses = ENTITIES[resource].fields.status.values ?? [];
  return `owner_id=${ME}&status=${statuses.filter((status) => !CLOSED.has(status)).join()}${order}`;
}

/** One more than are shown tells that there are more. */
function useMyOpen(kind: Kind) {
  return useQuery({
    queryKey: queryKeys.myOpen(kind.resource),
    queryFn: ({ signal }) =>
      getJson<Page<AnyRecord>>(`/${kind.resource}?${narrowingOf(kind)}&limit=${SHOWN + 1}`, signal),
    select: ({ data }) => data,
  });
}
