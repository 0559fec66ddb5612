import type { Pool } from "pg";

import { log } from "@/lib/log";
import { type People, textOf } from "@/lib/migration/objects/declaration";
import { USER } from "@/lib/migration/objects/key-prefixes";
import { NO_CHOICES, chooseOwner } from "@/lib/migration/owners/choose-owner";
import { readMembers } from "@/lib/migration/owners/members";
import type { Owners } from "@/lib/migration/owners/owners-schema";
import { readByIds } from "@/lib/migration/pipeline/read/read-by-ids";
import { readByKeyset } from "@/lib/migration/pipeline/read/read-by-keyset";
import { MAX_PAGE_RECORDS } from "@/lib/salesforce/answer-bounds";
import type { SalesforceClient } from "@/lib/salesforce/client";
import { type SourceRecord, soqlIn, soqlString } from "@/lib/salesforce/query";
import { isObjectHidden } from "@/lib/salesforce/refusals";

/** Stands in for the people of the org where they are not read. */
export const NOBODY: People = {
  memberOf: () => null,
  ownerOf: () => ({ member: null, isSame: false }),
  nameOf: () => null,
  lookUp: async () => undefined,
};

/**
 * A session keeps its users in memory, and a worker has several sessions. Of further users, such as those of portals,
 * the ones that records name are looked up, and as many of these are kept, those that were asked for last: many more
 * than the pages name that are read, mapped and stored at the same time.
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

const USER_FIELDS = ["Id", "Name", "Email"];

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
  const among = only ? [soqlIn("Id", only)] : [];
  const { byId, withEmail } = await readMembers(pool, organizationId);
  const people = new Map<string, Person>();
  const personOf = (user: SourceRecord): Person => ({
    member: withEmail(textOf(user, "Email"))?.user_id ?? null,
    name: nameOf(user),
  });
  const areAllRead = await readAll(client, "User", USER_FIELDS, among, (user) => {
    people.set(String(user.Id), personOf(user));
  });
  await readAll(client, "Group", ["Id", "Name"], [`Type = ${soqlString("Queue")}`, ...among], (queue) => {
    people.set(String(queue.Id), { member: null, name: nameOf(queue) });
  });
  const further = new FurtherUsers(client, personOf);
  const find = (id: string) => people.get(id) ?? further.get(id);
  const ownerOf = chooseOwner(choices, byId, (id) => find(id)?.member ?? null);
  return {
    memberOf: (id) => ownerOf(id, false).member,
    ownerOf: (id) => ownerOf(id, true),
    nameOf: (id) => find(id)?.name ?? null,
    lookUp: async (ids) => (areAllRead ? undefined : further.lookUp(ids.filter((id) => !people.has(id)))),
  };
}

/** Users that are read one by one. */
class FurtherUsers {
  /** Null: the Salesforce user may not see this one. */
  readonly #users = new Map<string, Person | null>();

  constructor(
    private readonly client: SalesforceClient,
    private readonly personOf: (user: SourceRecord) => Person,
  ) {}

  get(id: string): Person | null {
    return this.#users.get(id) ?? null;
  }

  async lookUp(ids: readonly string[]): Promise<void> {
    const unknown = [...new Set(ids)].filter((id) => id.startsWith(USER) && !this.#keepLonger(id));
    if (unknown.length === 0) return;
    const read = { from: "User", key: "Id", fields: USER_FIELDS };
    const found = await readByIds(this.client, read, unknown);
    const users = new Map(found.map((user) => [String(user.Id), this.personOf(user)]));
    for (const id of unknown) this.#users.set(id, users.get(id) ?? null);
    for (const oldest of this.#users.keys()) {
      if (this.#users.size <= MAX_PEOPLE) return;
      this.#users.delete(oldest);
    }
  }

  /** Makes a user the last one that was asked for: a Map keeps the order of insertion. False: the user is unknown. */
  #keepLonger(id: string): boolean {
    const user = this.#users.get(id);
    if (user === undefined) return false;
    this.#users.delete(id);
    this.#users.set(id, user);
    return true;
  }
}

/** Makes a copy, because a slice of a string keeps the whole string in memory. */
function nameOf(record: SourceRecord): string | null {
  const name = textOf(record, "Name");
  return name === null || name.length <= MAX_NAME_LENGTH
    ? name
    : Buffer.from(name.slice(0, MAX_NAME_LENGTH)).toString();
}

/** False: there are more than are kept. */
async function readAll(
  client: SalesforceClient,
  from: string,
  fields: string[],
  where: string[],
  take: (record: SourceRecord) => void,
): Promise<boolean> {
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
      log.info({ object: from, max: MAX_PEOPLE }, "too many owners to keep in memory");
      return false;
    }
  } catch (error) {
    if (!isObjectHidden(error)) throw error;
    log.warn({ object: from }, "owners cannot be matched: the Salesforce user may not read them");
  }
  return true;
}
