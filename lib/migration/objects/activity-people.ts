import type { Draft } from "@/lib/migration/objects/declaration";
import { fieldsOfList, keepList, setList } from "@/lib/migration/objects/related-lists";
import type { SourceRecord } from "@/lib/salesforce/query";

export type Activity = "Task" | "Event";

/**
 * The object that says who takes part in activities, one record per person. TaskRelation exists only with Shared
 * Activities; without them EventRelation has invitees alone (Object Reference, TaskRelation and EventRelation).
 */
export function relationOf(activity: Activity): string {
  return `${activity}Relation`;
}

function listOf(activity: Activity): string {
  return `${relationOf(activity)}s`;
}

/** The custom fields of an activity that come from its people: one entry per person, and the number of those beyond. */
export function customFieldsOfPeople(activity: Activity): readonly string[] {
  return fieldsOfList(listOf(activity));
}

/** Salesforce allows an event 1,000 invitees and 50 contacts. More people than this are counted, not kept. */
const MAX_PEOPLE = 1100;

/** Whether an activity may have people beside its WhoId. The copies of invitees have none: the event itself does. */
export function mayHavePeople(activity: Activity, { IsChild, IsGroupEvent, WhoCount }: SourceRecord): boolean {
  const hasSeveral = Number(WhoCount) > 1;
  return activity === "Task"
    ? hasSeveral || WhoCount === undefined
    : IsChild !== true && (hasSeveral || IsGroupEvent !== false);
}

/** Adds to an activity the people beside its WhoId, without what is empty. Its WhoId is one of them if invited. */
export function setPeople(activity: Activity, record: SourceRecord, relations: readonly SourceRecord[]): void {
  const further = relations
    .map((relation) => (activity === "Event" ? { ...relation, IsInvitee: relation.IsInvitee !== false } : relation))
    .filter(({ IsWhat }) => IsWhat !== true)
    .filter(({ IsInvitee, RelationId }) => IsInvitee === true || RelationId !== record.WhoId);
  if (further.length > 0) setList(record, listOf(activity), further.map(personOf), MAX_PEOPLE);
}

function personOf({
  Id,
  RelationId,
  Relation,
  IsInvitee,
  Status,
  Response,
  RespondedDate,
}: SourceRecord): SourceRecord {
  const { Type, Name } = (Relation ?? {}) as SourceRecord;
  const told = { Id, RelationId, Type, Name, IsInvitee, Status, Response, RespondedDate };
  return Object.fromEntries(Object.entries(told).filter(([, value]) => value !== undefined && value !== null));
}

/** Keeps the people of an activity in `custom_fields`. */
export function keepPeople(activity: Activity, record: SourceRecord, draft: Draft): void {
  keepList(record, listOf(activity), draft);
}
