import type { AnyRecord } from "@/components/records/record";
import { ENTITIES } from "@/lib/records/schema/registry";
import { RESOURCES, type ResourceName } from "@/lib/records/schema/resources";

/** An event of the feed. */
export interface Event {
  id: string;
  /** "account.created" */
  type: string;
  timestamp: string;
  data: { object: AnyRecord };
}

/** One line of the list of changes. */
export interface Change {
  id: string;
  resource: ResourceName;
  /** "created", "restored", "stage_changed". */
  action: string;
  timestamp: string;
  record: AnyRecord;
}

/**
 * What happened to records, a line for each change, in the order of the events. An action emits its own event beside
 * `updated`: of the two, the list has the one that says more. The test of a webhook is no change.
 */
export function changesOf(events: readonly Event[]): Change[] {
  const changes = events.flatMap(({ id, type, timestamp, data: { object: record } }): Change[] => {
    const [entity = "", name = ""] = type.split(".");
    const resource = resourceOf(entity);
    const action = isRestoration(name, record) ? "restored" : name;
    return resource ? [{ id, resource, action, timestamp, record }] : [];
  });
  // A deletion makes no version: its event has the record as the last change left it.
  const actions = changes.filter(({ action }) => action !== "updated" && action !== "deleted");
  const told = new Set(actions.map(versionOf));
  return changes.filter((change) => change.action !== "updated" || !told.has(versionOf(change)));
}

/** Types of events name the entity in the singular: "case_comment". */
function resourceOf(singular: string): ResourceName | undefined {
  return RESOURCES.find((resource) => ENTITIES[resource].singular === singular);
}

/** A restored record is created again, but its version goes on. A new one has the first. */
function isRestoration(action: string, { version }: AnyRecord): boolean {
  return action === "created" && Number(version) > 1;
}

/** Each change of a record makes one version of it. */
function versionOf({ record }: Change): string {
  return `${record.id} ${Number(record.version)}`;
}
