import { mayHavePeople, relationOf, setPeople, type WithPeople } from "@/lib/migration/objects/activity-people";
import { EXISTING, readByIds } from "@/lib/migration/pipeline/read/read-by-ids";
import { visibleFieldsOf } from "@/lib/migration/pipeline/read/visible-fields";
import type { SalesforceClient } from "@/lib/salesforce/client";
import type { SourceRecord } from "@/lib/salesforce/query";

/** What is read of a person. IsWhat and IsInvitee exist only with Shared Activities, answers only of invitees. */
const PEOPLE_FIELDS = new Set([
  "RelationId",
  "RelationType",
  "IsDeleted",
  "IsWhat",
  "IsInvitee",
  "Status",
  "Response",
  "RespondedDate",
]);

/** The fields to read of the people of activities or e-mails. None if the Salesforce user may not see who they are. */
export async function peopleFieldsOf(
  client: SalesforceClient,
  object: WithPeople,
  signal?: AbortSignal,
): Promise<string[]> {
  const fields = (await visibleFieldsOf(client, relationOf(object), signal)).map(({ name }) => name);
  if (!fields.includes("RelationId") || !fields.includes(`${object}Id`)) return [];
  return [...fields.filter((name) => PEOPLE_FIELDS.has(name)), "Relation.Type", "Relation.Name"];
}

/**
 * Adds to tasks or events the people beside their WhoId, and to e-mails their recipients, in the order of the ids of
 * their relations. One query per 400 records that may have some.
 */
export async function attachPeople(
  client: SalesforceClient,
  object: WithPeople,
  records: readonly SourceRecord[],
): Promise<void> {
  const byId = new Map(
    records.filter((record) => mayHavePeople(object, record)).map((record) => [String(record.Id), record]),
  );
  if (byId.size === 0) return;
  const fields = await peopleFieldsOf(client, object);
  if (fields.length === 0) return;
  const key = `${object}Id`;
  const existing = fields.includes("IsDeleted") ? EXISTING : { all: true };
  const relations = await readByIds(client, { from: relationOf(object), key, fields, ...existing }, [...byId.keys()]);
  for (const [id, own] of Map.groupBy(relations, (relation) => String(relation[key]))) {
    const record = byId.get(id);
    if (record) setPeople(object, record, own);
  }
}
