import type { Pool } from "pg";

import { type People, textOf } from "@/lib/migration/objects/declaration";
import { log } from "@/lib/log";
import { isHidden } from "@/lib/migration/pipeline/hidden";
import { readByKeyset } from "@/lib/migration/pipeline/read-by-keyset";
import type { SalesforceClient } from "@/lib/salesforce/client";
import { soqlString } from "@/lib/salesforce/soql";

const PAGE = 2000;

interface Person {
  member: string | null;
  name: string | null;
}

/**
 * Reads the source's users and queues once, and matches users to the organization's members by e-mail, whatever its capitals.
 * What the Salesforce user may not see stays unmatched: ids are kept, names are missing.
 */
export async function readPeople(client: SalesforceClient, pool: Pool, organizationId: string): Promise<People> {
  const members = await membersByEmail(pool, organizationId);
  const people = new Map<string, Person>();
  await readAll(client, "User", ["Id", "Name", "Email"], [], (user) => {
    const email = textOf(user, "Email")?.toLowerCase() ?? "";
    people.set(String(user.Id), { member: members.get(email) ?? null, name: textOf(user, "Name") });
  });
  await readAll(client, "Group", ["Id", "Name"], [`Type = ${soqlString("Queue")}`], (queue) => {
    people.set(String(queue.Id), { member: null, name: textOf(queue, "Name") });
  });
  return {
    memberOf: (id) => people.get(id)?.member ?? null,
    nameOf: (id) => people.get(id)?.name ?? null,
  };
}

async function membersByEmail(pool: Pool, organizationId: string): Promise<Map<string, string>> {
  const members = await pool.query<{ email: string; id: string }>(
    `SELECT lower(u.email) AS email, u.id FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.organization_id = $1 AND u.disabled_at IS NULL`,
    [organizationId],
  );
  return new Map(members.rows.map(({ email, id }) => [email, id]));
}

async function readAll(
  client: SalesforceClient,
  from: string,
  fields: string[],
  where: string[],
  take: (record: Record<string, unknown>) => void,
): Promise<void> {
  try {
    for await (const page of readByKeyset(client, { from, fields, where, after: null, all: false, size: { records: PAGE } })) page.forEach(take);
  } catch (error) {
    if (!isHidden(error)) throw error;
    log.warn({ object: from }, "owners cannot be matched: the Salesforce user may not read them");
  }
}
