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
import { ENTITIES } from "@/lib/records/schema/registry";
import { RESOURCES, type ResourceName } from "@/lib/records/schema/resources";

const SHOWN = 10;

/** A change has at most so many events. */
const EVENTS_OF_CHANGE = 2;

/** The latest changes of records, by whomever. */
export function RecentChanges() {
  const query = useList<Event>({ queryKey: queryKeys.events(), path: `/events?limit=${SHOWN * EVENTS_OF_CHANGE}` });
  return (
    <Section title="Recent changes">
      <Loaded
        query={query}
        loading="Loading the recent changes"
        empty="No changes yet. The records that a migration imports are not listed here."
      >
        {(events) => (
          <ol className={classes.list}>
            {changesOf(events)
              .filter(({ entity }) => resourceOf(entity))
              .slice(0, SHOWN)
              .map((change) => (
                <Line key={change.id} change={change} />
              ))}
          </ol>
        )}
      </Loaded>
    </Section>
  );
}

function Line({ change: { entity, action, timestamp, record } }: { change: Change }) {
  const resource = resourceOf(entity);
  // An event that is not of a record: a webhook's test.
  if (!resource) return null;
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

/** Types of events name the entity in the singular: "case_comment". */
function resourceOf(singular: string): ResourceName | undefined {
  return RESOURCES.find((resource) => ENTITIES[resource].singular === singular);
}
