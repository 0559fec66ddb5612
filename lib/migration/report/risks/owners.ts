import { formatCount } from "@/lib/amounts";
import { batchesOf } from "@/lib/batches";
import { pool } from "@/lib/database/db";
import type { People } from "@/lib/migration/objects/declaration";
import { QUEUE } from "@/lib/migration/objects/key-prefixes";
import { IMPORT_ORDER, type SourceObjectName, objectName } from "@/lib/migration/objects/source-object-names";
import { countGroups } from "@/lib/migration/pipeline/read/count-groups";
import { MAX_PEOPLE, readPeople } from "@/lib/migration/pipeline/read/people";
import { readByKeyset } from "@/lib/migration/pipeline/read/read-by-keyset";
import { nullWhenUncountable } from "@/lib/migration/relationships/list-relationships";
import { answerWithin } from "@/lib/migration/report/answer-within";
import { type RiskCheck, type ReportFacts, canSeeField } from "@/lib/migration/report/facts";
import type { Risk } from "@/lib/migration/report/report-schema";
import { exampleOf } from "@/lib/migration/report/risks/example-records";
import { migratedOf } from "@/lib/migration/report/survey";
import { MAX_PAGE_RECORDS } from "@/lib/salesforce/answer-bounds";
import type { SalesforceClient } from "@/lib/salesforce/client";
import { nullWhenUnanswered } from "@/lib/salesforce/refusals";

const REASSIGN =
  "If they should have an owner here, choose one when you configure, or reassign them in Salesforce before you " +
  "start, to a user with the e-mail address of a member here.";

/** Owner → number of records. */
type Owners = Map<string, number>;

/** Owners who are not members here, owners who are inactive, queues, and objects whose owners are unknown. */
export const owners: RiskCheck = async (facts) => {
  const { owned, uncounted } = await countByOwner(facts);
  const people = await readPeople(facts.client, pool(), facts.organizationId);
  const members = await membersAmong(people, [...owned.keys()]);
  const inactive = await inactiveUsers(facts.client);
  const pick = (belongs: (id: string) => boolean) => [...owned].filter(([id]) => belongs(id));
  const isNoMember = (id: string) => !id.startsWith(QUEUE) && !inactive.has(id) && !members.has(id);
  const sample = pick(isNoMember)
    .flatMap(([id]) => people.nameOf(id) ?? [])
    .slice(0, 3);
  const named = async (object: string, group: Group, risks: Risk[]) => {
    const example = await largestOf(object, group, people);
    return risks.map((risk) => ({ ...risk, example }));
  };
  const [others, gone, ownQueues] = [
    pick(isNoMember),
    pick((id) => inactive.has(id) && !members.has(id)),
    pick((id) => id.startsWith(QUEUE)),
  ];
  return [
    ...(await named("User", others, notMembers(others, sample))),
    ...(await named("User", gone, inactiveOwners(gone))),
    ...(await named("Group", ownQueues, queues(ownQueues))),
    ...ownersNotCounted(uncounted),
  ];
};

/** Those who are members here. Of an org with very many users they are not all known at the same time. */
async function membersAmong(people: People, ids: readonly string[]): Promise<Set<string>> {
  const members = new Set<string>();
  for (const some of batchesOf(ids, MAX_PAGE_RECORDS)) {
    await people.lookUp(some);
    for (const id of some) if (people.memberOf(id) !== null) members.add(id);
  }
  return members;
}

/** The owners of all records that can be counted, and the objects whose records cannot. */
async function countByOwner(facts: ReportFacts): Promise<{ owned: Owners; uncounted: SourceObjectName[] }> {
  const owned: Owners = new Map();
  const uncounted: SourceObjectName[] = [];
  for (const object of IMPORT_ORDER.filter((name) => canSeeField(facts, name, "OwnerId"))) {
    const where = ["IsDeleted = false", ...migratedOf(object)];
    const ask = (signal: AbortSignal) => countGroups(facts.client, object, "OwnerId", where, signal);
    const groups = await answerWithin(ask).catch(nullWhenUncountable);
    if (!groups) uncounted.push(object);
    for (const [id, records] of groups ?? []) owned.set(id, (owned.get(id) ?? 0) + records);
  }
  return { owned, uncounted };
}

async function inactiveUsers(client: SalesforceClient): Promise<Set<string>> {
  const inactive = new Set<string>();
  const read = {
    from: "User",
    fields: ["Id"],
    where: ["IsActive = false"],
    after: null,
    all: false,
    size: { records: MAX_PAGE_RECORDS },
  };
  try {
    for await (const page of readByKeyset(client, read)) {
      for (const { Id } of page) inactive.add(String(Id));
      if (inactive.size >= MAX_PEOPLE) break;
    }
  } catch (error) {
    nullWhenUnanswered(error);
  }
  return inactive;
}

type Group = [id: string, records: number][];

/** The owner of the most records. */
async function largestOf(object: string, group: Group, people: People): Promise<Risk["example"]> {
  const [id] = group.toSorted(([, one], [, other]) => other - one)[0] ?? [];
  if (id === undefined) return null;
  await people.lookUp([id]);
  return exampleOf(object, id, people.nameOf(id));
}

function sumOf(group: Group): number {
  return group.reduce((sum, [, records]) => sum + records, 0);
}

function notMembers(group: Group, names: readonly string[]): Risk[] {
  if (group.length === 0) return [];
  const examples = names.length > 0 ? ` (${names.join(", ")}${group.length > names.length ? ", …" : ""})` : "";
  return [
    {
      severity: "warning",
      code: "owners_not_members",
      object: null,
      count: sumOf(group),
      title: formatCount(group.length, "active owner is not a member here", "active owners are not members here"),
      detail:
        `Records are matched to members by e-mail address. These owners${examples} have no member with their ` +
        "address; their records are imported without owner. Each keeps the owner's name and Salesforce id as the " +
        "custom fields Owner.Name and OwnerId.",
      recommended_action: `Nothing, if records may be without owner: the custom fields name the former. ${REASSIGN}`,
    },
  ];
}

function inactiveOwners(group: Group): Risk[] {
  if (group.length === 0) return [];
  return [
    {
      severity: "info",
      code: "inactive_owners",
      object: null,
      count: sumOf(group),
      title: formatCount(
        group.length,
        "owner is an inactive user and not a member here",
        "owners are inactive users and not members here",
      ),
      detail:
        "Their records are imported without owner; the custom fields Owner.Name and OwnerId name the former owner.",
      recommended_action: `Nothing for records that nobody works on any more. ${REASSIGN}`,
    },
  ];
}

function queues(group: Group): Risk[] {
  if (group.length === 0) return [];
  return [
    {
      severity: "info",
      code: "queue_owners",
      object: null,
      count: sumOf(group),
      title: `${formatCount(group.length, "queue owns", "queues own")} records`,
      detail:
        "There are no queues here. These records are imported without owner; the custom fields Owner.Name and " +
        "OwnerId name their queue.",
      recommended_action: `Nothing, if records may be without owner. ${REASSIGN}`,
    },
  ];
}

function ownersNotCounted(objects: readonly SourceObjectName[]): Risk[] {
  if (objects.length === 0) return [];
  return [
    {
      severity: "info",
      code: "owners_not_counted",
      object: null,
      count: null,
      title: `The owners of ${new Intl.ListFormat("en").format(objects.map(objectName))} could not be counted`,
      detail:
        "Salesforce refused to count these records by owner, or took too long, so what is said here of owners leaves " +
        "them out. They are migrated nevertheless, by the same rules.",
      recommended_action: "Go on, or analyze again at a quieter time to know their owners in advance.",
    },
  ];
}
