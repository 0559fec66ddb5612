import type { AnyRecord } from "@/components/records/record";

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
  /** Names the entity in the singular: "case_comment". */
  entity: string;
  /** "created", "restored", "stage_changed". */
  action: string;
  timestamp: string;
  record: AnyRecord;
}

/**
 * What happened, a line for each change, in the order of the events. An action emits its own event beside `updated`: of
 * the two, the list has the one that says more.
 */
export function changesOf(events: readonly Event[]): Change[] {
  const changes = events.map(({ id, type, timestamp, data }): Change => {
    const [entity = "", action = ""] = type.split(".");
    return {
      id,
      entity,
      action: isRestoration(action, data.object) ? "restored" : action,
      timestamp,
      record: data.object,
    };
  });
  // A deletion makes no version: its event has the record as the last change left it.
  const actions = changes.filter(({ action }) => action !== "updated" && action !== "deleted");
  const told = new Set(actions.map(versionOf));
  return changes.filter((change) => change.action !== "updated" || !told.has(versionOf(change)));
}

/** A restored record is created again, but its version goes on. A new one has the first. */
function isRestoration(action: string, { version }: AnyRecord): boolean {
  return action === "created" && Number(version) > 1;
}

/** Each change of a record makes one version of it. */
function versionOf({ record }: Change): string {
  return `${record.id} ${Number(record.version)}`;
}
