import { Text } from "@mantine/core";

import { queryKeys } from "@/components/api/query-keys";
import { useList } from "@/components/api/use-list";
import classes from "@/components/home/recent-changes.module.css";
import { type AnyRecord, titleOf } from "@/components/records/record";
import { RECORD_NAMES } from "@/components/records/record-names";
import { Loaded } from "@/components/ui/feedback/loaded";
import { Section } from "@/components/ui/layout/section";
import { Ago } from "@/components/ui/text/ago";
import { inWords } from "@/components/ui/text/format";
import { TextLink } from "@/components/ui/text/text-link";
import { ENTITIES } from "@/lib/records/schema/registry";
import { RESOURCES, type ResourceName } from "@/lib/records/schema/resources";

const SHOWN = 10;

interface Event {
  id: string;
  /** "account.created" */
  type: string;
  timestamp: string;
  data: { object: AnyRecord };
}

/** The latest changes of records, by whomever. */
export function RecentChanges() {
  const query = useList<Event>({ queryKey: queryKeys.events(), path: `/events?limit=${SHOWN}` });
  return (
    <Section title="Recent changes">
      <Loaded
        query={query}
        loading="Loading the recent changes"
        empty={
          <Text size="sm" c="dimmed">
            No changes yet. The records that a migration imports are not listed here.
          </Text>
        }
      >
        {(events) => (
          <ol className={classes.list}>
            {events.map((item) => (
              <Change key={item.id} event={item} />
            ))}
          </ol>
        )}
      </Loaded>
    </Section>
  );
}

function Change({ event: { type, timestamp, data } }: { event: Event }) {
  const [singular = "", action = ""] = type.split(".");
  const resource = resourceOf(singular);
  // An event that is not of a record: a webhook's test.
  if (!resource) return null;
  const { singular: noun, icon: Icon } = RECORD_NAMES[resource];
  return (
    <li className={classes.row}>
      <Icon size={18} stroke={1.6} aria-hidden className={classes.icon} />
      <div className={classes.what}>
        <Name resource={resource} item={data.object} isGone={action === "deleted"} />
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
