import { hash } from "node:crypto";

import type { Pool } from "pg";

import { log } from "@/lib/log";
import { type People, textOf } from "@/lib/migration/objects/declaration";
import { NO_CHOICES, chooseOwner } from "@/lib/migration/owners/choose-owner";
import { readMembers } from "@/lib/migration/owners/members";
import type { Owners } from "@/lib/migration/owners/owners-schema";
import { readByKeyset } from "@/lib/migration/pipeline/read/read-by-keyset";
import { MAX_PAGE_RECORDS } from "@/lib/salesforce/answer-bounds";
import type { SalesforceClient } from "@/lib/salesforce/client";
import { soqlString } from "@/lib/salesforce/query";
import { isObjectHidden } from "@/lib/salesforce/refusals";

/** Stands in for the people of the org where they are not read. */
export const NOBODY: People = {
  memberOf: () => null,
  ownerOf: () => ({ member: null, isSame: false }),
  nameOf: () => null,
  fingerprint: "",
};

/**
 * A session keeps all users in memory, and a worker has several sessions. Further owners are treated like those whom
 * the Salesforce user may not see: their ids are kept.
 */
export const MAX_PEOPLE = 100_000;

/**
 * In characters; more than any name in Salesforce. It keeps a source that is not Salesforce from filling the memory of
 * the worker with names.
 */
const MAX_NAME_LENGTH = 255;

interface Person {
  member: string | null;
  name: string | null;
}

/**
 * Reads the users and queues of the source, and matches users to members of the organization by the choices, or else by
 * e-mail address. What the Salesforce user may not see stays unmatched: ids are kept, names are missing. With `only`,
 * reads these users and queues alone.
 */
export async function readPeople(
  client: SalesforceClient,
  pool: Pool,
  organizationId: string,
  choices: Owners = NO_CHOICES,
  only?: readonly string[],
): Promise<People> {
  const among = only ? [`Id IN (${only.map(soqlString).join(", ")})`] : [];
  const { byId, withEmail } = await readMembers(pool, organizationId);
  const people = new Map<string, Person>();
  await readAll(client, "User", ["Id", "Name", "Email"], among, (user) => {
    const member = withEmail(textOf(user, "Email"))?.user_id ?? null;
    people.set(String(user.Id), { member, name: nameOf(user) });
  });
  await readAll(client, "Group", ["Id", "Name"], [`Type = ${soqlString("Queue")}`, ...among], (queue) => {
    people.set(String(queue.Id), { member: null, name: nameOf(queue) });
  });
  const fingerprint = hash("sha256", JSON.stringify([choices, [...byId.keys()].toSorted(), [...people]]));
  const ownerOf = chooseOwner(choices, byId, (id) => people.get(id)?.member ?? null);
  return {
    memberOf: (id) => ownerOf(id, false).member,
    ownerOf: (id) => ownerOf(id, true),
    nameOf: (id) => people.get(id)?.name ?? null,
    fingerprint,
  };
}

/** Makes a copy, because a slice of a string keeps the whole string in memory. */
function nameOf(record: Record<string, unknown>): string | null {
  const name = textOf(record, "Name");
  return name === null || name.length <= MAX_NAME_LENGTH
    ? name
    : Buffer.from(name.slice(0, MAX_NAME_LENGTH)).toString();
}

async function readAll(
  client: SalesforceClient,
  from: string,
  fields: string[],
  where: string[],
  take: (record: Record<string, unknown>) => void,
): Promise<void> {
  let count = 0;
  try {
    for await (const page of readByKeyset(client, {
      from,
      fields,
      where,
      after: null,
      all: false,
      size: { records: MAX_PAGE_RECORDS },
    })) {
      page.forEach(take);
      count += page.length;
      if (count < MAX_PEOPLE) continue;
      log.warn(
        { object: from, max: MAX_PEOPLE },
        "too many owners to keep in memory: the remaining ones are not matched",
      );
      return;
    }
  } catch (error) {
    if (!isObjectHidden(error)) throw error;
    log.warn({ object: from }, "owners cannot be matched: the Salesforce user may not read them");
  }
}
