import { Text } from "@mantine/core";

import { queryKeys } from "@/components/api/query-keys";
import { useList } from "@/components/api/use-list";
import { type Change, changesOf, type Event } from "@/components/home/changes";
import classes from "@/components/home/recent-changes.module.css";
import { type AnyRecord, titleOf } from "@/components/records/record";
import { RECORD_NAMES } from "@/components/records/record-names";
import { Loaded } from "@/components/ui/feedback/loaded";
import { Section } from "@/components/ui/layout/section";
import { Ago } from "@/components/ui/text/ago";
import { inWords } from "@/components/ui/text/format";
import { TextLink } from "@/components/ui/text/links";
import type { ResourceName } from "@/lib/records/schema/resources";

const SHOWN = 10;

/** A change has up to two events, and among them are the tests of webhooks. */
const EVENTS_READ = 4 * SHOWN;

/** The latest changes of records, by whomever. */
export function RecentChanges() {
  const query = useList<Event>({ queryKey: queryKeys.events(), path: `/events?limit=${EVENTS_READ}` });
  const changes = query.data && changesOf(query.data).slice(0, SHOWN);
  return (
    <Section title="Recent changes">
      <Loaded
        query={{ ...query, data: changes }}
        loading="Loading the recent changes"
        empty="No recent changes. The records that a migration imports are not listed here."
      >
        {(latest) => (
          <ol className={classes.list}>
            {latest.map((change) => (
              <Line key={change.id} change={change} />
            ))}
          </ol>
        )}
      </Loaded>
    </Section>
  );
}

function Line({ change: { resource, action, timestamp, record } }: { change: Change }) {
  const { singular: noun, icon: Icon } = RECORD_NAMES[resource];
  return (
    <li className={classes.row}>
      <Icon size={18} stroke={1.6} aria-hidden className={classes.icon} />
      <div className={classes.what}>
        <Name resource={resource} item={record} isGone={action === "deleted"} />
        <Text size="sm" c="dimmed">
          {noun} {inWords(action).toLowerCase()}
        </Text>
      </div>
      <Text size="sm" c="dimmed" className={classes.when}>
        <Ago iso={timestamp} />
      </Text>
    </li>
  );
}

function Name({ resource, item, isGone }: { resource: ResourceName; item: AnyRecord; isGone: boolean }) {
  const title = <bdi>{titleOf(resource, item) || "(no name)"}</bdi>;
  if (isGone)
    return (
      <Text fw={600} td="line-through">
        {title}
      </Text>
    );
  return (
    <TextLink href={`/${resource}/${item.id}`} fw={600}>
      {title}
    </TextLink>
  );
}
