import type { Draft } from "@/lib/migration/objects/declaration";
import { fieldsOfList, keepList, setList } from "@/lib/migration/objects/related-lists";
import type { SourceRecord } from "@/lib/salesforce/query";

export type Activity = "Task" | "Event";

/** Objects whose records have people of their own. */
export type WithPeople = Activity | "EmailMessage";

/**
 * The object that says who takes part in activities and who is named by e-mails, one record per person. TaskRelation
 * exists only with Shared Activities; without them EventRelation has invitees alone (Object Reference, TaskRelation,
 * EventRelation and EmailMessageRelation).
 */
export function relationOf(object: WithPeople): string {
  return `${object}Relation`;
}

function listOf(object: WithPeople): string {
  return `${relationOf(object)}s`;
}

/** The custom fields of a record that come from its people: one entry per person, and the number of those beyond. */
export function customFieldsOfPeople(object: WithPeople): readonly string[] {
  return fieldsOfList(listOf(object));
}

/** Salesforce allows an event 1,000 invitees and 50 contacts. More people than this are counted, not kept. */
const MAX_PEOPLE = 1100;

/** Whether a record may have people beside its WhoId. The copies of invitees have none: the event itself does. */
export function mayHavePeople(object: WithPeople, { IsChild, IsGroupEvent, WhoCount }: SourceRecord): boolean {
  const hasSeveral = Number(WhoCount) > 1;
  if (object === "EmailMessage") return true;
  return object === "Task"
    ? hasSeveral || WhoCount === undefined
    : IsChild !== true && (hasSeveral || IsGroupEvent !== false);
}

/** Adds to a record the people beside its WhoId, without what is empty. Its WhoId is one of them if invited. */
export function setPeople(object: WithPeople, record: SourceRecord, relations: readonly SourceRecord[]): void {
  const further = relations
    .map((relation) => (object === "Event" ? { ...relation, IsInvitee: relation.IsInvitee !== false } : relation))
    .filter((relation) => (object === "EmailMessage" ? isRecipient(relation) : isFurther(record, relation)));
  if (further.length > 0) setList(record, listOf(object), further.map(personOf), MAX_PEOPLE);
}

function isFurther({ WhoId }: SourceRecord, { IsWhat, IsInvitee, RelationId }: SourceRecord): boolean {
  return IsWhat !== true && (IsInvitee === true || RelationId !== WhoId);
}

/**
 * Whether a contact, lead or user got an e-mail. ToAddress, CcAddress and BccAddress need not have the addresses of
 * these, only those of others (Object Reference, EmailMessage). FromId is the sender.
 */
function isRecipient({ RelationId, RelationType }: SourceRecord): boolean {
  return typeof RelationId === "string" && RelationType !== "FromAddress";
}

function personOf({
  Id,
  RelationId,
  RelationType,
  Relation,
  IsInvitee,
  Status,
  Response,
  RespondedDate,
}: SourceRecord): SourceRecord {
  const { Type, Name } = (Relation ?? {}) as SourceRecord;
  const told = { Id, RelationId, RelationType, Type, Name, IsInvitee, Status, Response, RespondedDate };
  return Object.fromEntries(Object.entries(told).filter(([, value]) => value !== undefined && value !== null));
}

/** Keeps the people of a record in `custom_fields`. */
export function keepPeople(object: WithPeople, record: SourceRecord, draft: Draft): void {
  keepList(record, listOf(object), draft);
}
