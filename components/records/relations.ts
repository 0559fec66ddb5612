import { useQueries } from "@tanstack/react-query";

import { queryKeys } from "@/components/api/query-keys";
import { getJson } from "@/components/api/request";
import { fieldOf } from "@/components/records/fields/field-of";
import { type AnyRecord, textOf } from "@/components/records/record";
import { RECORD_NAMES } from "@/components/records/record-names";
import { isFilterValue, ME } from "@/lib/records/schema/list-address";
import { type Relation, relationsTo } from "@/lib/records/schema/registry";
import type { ResourceName } from "@/lib/records/schema/resources";
import type { Page } from "@/components/api/use-list";

/** How many of the records that refer to one are shown with it. */
export const MAX_RELATED = 5;

/** The newest records that refer to one by each of the fields, and how many there are. */
export function useRelated(relations: readonly Relation[], id: string) {
  const queries = useQueries({ queries: relations.map((relation) => relatedQuery(relation, id)) });
  return queries.flatMap((query, index) => {
    const relation = relations[index];
    return relation ? [{ relation, query }] : [];
  });
}

function relatedQuery(relation: Relation, id: string) {
  const { from, field } = relation;
  const query = new URLSearchParams(relatedInput(relation, id)).toString();
  return {
    queryKey: queryKeys.related(from.resource, field, id),
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      getJson<Page<AnyRecord> & { total: number }>(`/${from.resource}?${query}`, signal),
  };
}

/** What the list of records is asked for. */
export function relatedInput({ field }: Relation, id: string): Record<string, string> {
  return { [field]: id, limit: String(MAX_RELATED), include: "total" };
}

/** Shown as the thread of a case and as the timeline, not as tables. */
const ELSEWHERE = new Set<ResourceName>(["case_comments", "activities"]);

/** The relations to a kind of record that its page shows as tables. */
export function shownRelations(resource: ResourceName): Relation[] {
  return relationsTo(resource).filter(({ from }) => !ELSEWHERE.has(from.resource));
}

/** The field by which activities refer to a kind of record, if they do. */
export function activityField(resource: ResourceName): string | undefined {
  return relationsTo(resource).find(({ from }) => from.resource === "activities")?.field;
}

/** The customer whom a record is about: what is added to it is about the same one, and is listed there too. */
const CUSTOMER = ["account_id", "contact_id"];

/** The values with which a new record of a kind begins that refers to `item` by `field`, this reference first. */
export function valuesFrom(resource: ResourceName, field: string, item: AnyRecord): Record<string, string> {
  const shared = CUSTOMER.filter((name) => name !== field && fieldOf(resource, name) && textOf(item, name) !== "");
  return { [field]: item.id, ...Object.fromEntries(shared.map((name) => [name, textOf(item, name)])) };
}

/**
 * What an address gives a new record, without references that are no ids: as a part of the address of a request, one
 * that somebody else wrote could ask for anything.
 */
export function givenValues(resource: ResourceName, given: Readonly<Record<string, string>>): Record<string, string> {
  const isReference = (field: string) => fieldOf(resource, field)?.references !== undefined;
  const isGiven = (field: string, value: string) =>
    !isReference(field) || (value !== ME && isFilterValue(resource, field, value));
  return Object.fromEntries(Object.entries(given).filter(([field, value]) => isGiven(field, value)));
}

/** The first record to which a new one is given a reference, if it may have the customer as well. */
export function givingReference(resource: ResourceName, given: Readonly<Record<string, string>>) {
  const reference = givenReference(resource, given);
  const gives = (name: string) => name !== reference?.field && fieldOf(resource, name) !== undefined;
  return reference && CUSTOMER.some((name) => gives(name) && fieldOf(reference.target, name)) ? reference : null;
}

/** The first record to which a new one is given a reference. */
export function givenReference(resource: ResourceName, given: Readonly<Record<string, string>>) {
  for (const [field, id] of Object.entries(givenValues(resource, given))) {
    const target = fieldOf(resource, field)?.references;
    if (target && target !== "users") return { field, target, id };
  }
  return null;
}

/** Relations between records of the same kind, for which the name of the kind would be ambiguous. */
const NAMES: Record<string, string> = {
  parent_account_id: "Accounts below this one",
  parent_case_id: "Cases below this one",
  reports_to_id: "Contacts who report to this one",
};

export function relationName({ from, field }: Relation): string {
  return NAMES[field] ?? RECORD_NAMES[from.resource].plural;
}
