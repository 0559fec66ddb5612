import { batchesOf } from "@/lib/batches";
import { textOf } from "@/lib/migration/objects/declaration";
import { QUEUE } from "@/lib/migration/objects/key-prefixes";
import type { SourceObjectName } from "@/lib/migration/objects/source-object-names";
import { countGroups } from "@/lib/migration/pipeline/read/count-groups";
import { IDS_PER_QUERY } from "@/lib/migration/pipeline/read/read-by-ids";
import { nullWhenUncountable } from "@/lib/migration/relationships/list-relationships";
import type { ObjectReport } from "@/lib/migration/report/report-schema";
import type { SalesforceClient } from "@/lib/salesforce/client";
import { query, select, soqlIn, type SourceRecord } from "@/lib/salesforce/query";
import { nullWhenRefused } from "@/lib/salesforce/refusals";

/** A user or queue of the source, with what it owns and has written there. */
export interface SourceOwner {
  id: string;
  kind: "user" | "queue";
  /** Null: the Salesforce user may not see it. */
  name: string | null;
  email: string | null;
  is_active: boolean | null;
  records: number;
  comments: number;
}

const NOT_DELETED = ["IsDeleted = false"];

/**
 * The users and queues that own records of the selected objects or wrote comments on cases, those with most first. An
 * object whose records Salesforce does not count by them is left out.
 */
export async function readSourceOwners(
  client: SalesforceClient,
  selected: ReadonlyMap<SourceObjectName, ObjectReport>,
  signal: AbortSignal,
): Promise<SourceOwner[]> {
  const owned = new Map<string, { records: number; comments: number }>();
  const add = async (object: SourceObjectName, field: string, what: "records" | "comments") => {
    const found = await countGroups(client, object, field, NOT_DELETED, signal).catch(nullWhenUncountable);
    for (const [id, number] of found ?? []) {
      const counts = owned.get(id) ?? { records: 0, comments: 0 };
      counts[what] += number;
      owned.set(id, counts);
    }
  };
  const has = (object: SourceObjectName, field: string) =>
    selected.get(object)?.fields.some(({ source }) => source === field) ?? false;
  for (const object of selected.keys()) if (has(object, "OwnerId")) await add(object, "OwnerId", "records");
  if (has("CaseComment", "CreatedById")) await add("CaseComment", "CreatedById", "comments");
  const people = await readNames(client, [...owned.keys()], signal);
  return [...owned]
    .map(([id, counts]) => ({ id, kind: id.startsWith(QUEUE) ? ("queue" as const) : ("user" as const), ...counts }))
    .map((owner) => ({ ...owner, ...(people.get(owner.id) ?? UNSEEN) }))
    .toSorted((a, b) => b.records + b.comments - (a.records + a.comments) || (a.id < b.id ? -1 : 1));
}

type Person = Pick<SourceOwner, "name" | "email" | "is_active">;

const UNSEEN: Person = { name: null, email: null, is_active: null };

/** Users and queues by id. What the Salesforce user may not see is missing. */
async function readNames(
  client: SalesforceClient,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<Map<string, Person>> {
  const people = new Map<string, Person>();
  for (const named of batchesOf(ids, IDS_PER_QUERY)) {
    const users = { from: "User", fields: ["Id", "Name", "Email", "IsActive"] };
    const queues = { from: "Group", fields: ["Id", "Name"] };
    for (const what of [users, queues]) {
      const isQueue = what === queues;
      const among = named.filter((id) => id.startsWith(QUEUE) === isQueue);
      if (among.length === 0) continue;
      const soql = select({ ...what, where: [soqlIn("Id", among)] });
      const page = await query(client, soql, { signal }).catch(nullWhenRefused);
      for (const record of page?.records ?? []) people.set(textOf(record, "Id") ?? "", personOf(record, isQueue));
    }
  }
  return people;
}

function personOf(record: SourceRecord, isQueue: boolean): Person {
  return {
    name: textOf(record, "Name"),
    email: textOf(record, "Email")?.toLowerCase() ?? null,
    is_active: isQueue ? null : record.IsActive === true,
  };
}
