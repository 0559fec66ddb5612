import type { PoolClient } from "pg";
import { z } from "zod";

import type { Context } from "@/lib/context";
import { answeringTransaction } from "@/lib/database/transactions";
import { lockOrganization } from "@/lib/database/db";
import { acrossOrganizations } from "@/lib/database/organization-scope";
import { AppError } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { pathId } from "@/lib/input/ids-and-times";
import { configurationSchema } from "@/lib/migration/configuration/configuration-schema";
import { givenChoices, lockConfiguration, storeConfiguration } from "@/lib/migration/configuration/configure-migration";
import { USER } from "@/lib/migration/objects/key-prefixes";
import { readMembers } from "@/lib/migration/owners/members";
import { MAX_MADE_AT_ONCE, NO_CHOICES } from "@/lib/migration/owners/choose-owner";
import { assertRoom } from "@/lib/migration/owners/owner-faults";
import type { Owners } from "@/lib/migration/owners/owners-schema";
import { defineOperation } from "@/lib/operation";
import { isSalesforceId, to18 } from "@/lib/salesforce/ids";
import { recordAudit } from "@/lib/security/audit";

/** Queues are nobody, so no member is made of one. */
const userId = z
  .string()
  .refine((id) => id.startsWith(USER) && isSalesforceId(id), {
    error: `This is not the id of a user of Salesforce: ${USER} and 12 or 15 more letters and digits.`,
    params: { code: "unknown_owner" },
  })
  .transform(to18);

const name = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .refine((text) => text.isWellFormed() && !text.includes("\0"), "The name has characters that cannot be stored.");

/**
 * Members are made of users of the source by a person who says so, never by a run: a run is started by programs too. An
 * address that belongs to nobody stands for theirs, so that no organization takes the address of a person who is not
 * there, or learns whether it is taken (RFC 2606 §2). An invitation gives the member a real one.
 */
export const makeInactiveMembers = defineOperation({
  name: "make_inactive_members",
  summary:
    "Make disabled members of users of the Salesforce org, and choose them in the configuration, so that records and " +
    "comments keep whose they were. They cannot sign in until an admin invites them. A user who has one keeps it.",
  scopes: ["crm:write"],
  adminsOnly: true,
  stores: true,
  input: z.strictObject({
    migration_id: pathId("migration"),
    users: z
      .array(z.strictObject({ id: userId, name }))
      .min(1)
      .max(MAX_MADE_AT_ONCE)
      .describe("Users as `GET /migration/{migration_id}/owners` lists them."),
  }),
  output: z.object({
    data: z.array(z.object({ id: z.string(), user_id: z.uuid(), created: z.boolean() })),
    configuration: configurationSchema,
  }),
  run: (context, { migration_id: id, users }) =>
    answeringTransaction(context, async (client) => {
      const before = await lockConfiguration(client, context, id);
      const owners = before.owners ?? NO_CHOICES;
      const { byId } = await readMembers(client, context.organizationId);
      const current = chosenMembers(owners, new Set(byId.keys()));
      const missing = new Map(users.flatMap((user) => (current.has(user.id) ? [] : [[user.id, user.name] as const])));
      assertRoom(owners, [...missing.keys()]);
      const made = await insertMembers(client, context, missing);
      const added = Object.fromEntries([...made].map(([user, { id: member }]) => [user, member]));
      const after = { ...before, owners: { ...owners, members: { ...owners.members, ...added } } };
      await storeConfiguration(client, context, id, { before, after });
      const data = [...new Set(users.map((user) => user.id))].map((user) => ({
        id: user,
        user_id: made.get(user)?.id ?? current.get(user) ?? "",
        created: made.get(user)?.created ?? false,
      }));
      return { data, configuration: givenChoices(after) };
    }),
});

/** The members who were chosen for users, and are still there. */
function chosenMembers({ members }: Owners, present: ReadonlySet<string>): Map<string, string> {
  return new Map(
    Object.entries(members).flatMap(([id, member]) =>
      member !== null && present.has(member.toLowerCase()) && isSalesforceId(id)
        ? [[to18(id), member.toLowerCase()] as const]
        : [],
    ),
  );
}

/** `.invalid` is no domain, so nobody can receive mail there, and nobody else can be given such an address. */
function addressOf({ organizationId }: Context, id: string): string {
  return `${id.toLowerCase()}@${organizationId}.invalid`;
}

const INSERT_USERS = `
  INSERT INTO users (id, email, name, created_at)
  SELECT given.id, given.email, given.name, now()
  FROM json_to_recordset($1::json) AS given(id uuid, email text, name text)
  WHERE NOT EXISTS (SELECT FROM users u WHERE u.email = given.email)`;

/**
 * A member who was removed becomes the same member again, whose records are still theirs. Whoever is a member of
 * another organization is somebody else, whatever address that has given them.
 */
const INSERT_MEMBERSHIPS = `
  INSERT INTO memberships (organization_id, user_id, role, created_at, disabled_at)
  SELECT $1::uuid, u.id, 'member', now(), now() FROM users u
  WHERE u.email = ANY ($2::text[])
    AND NOT EXISTS (SELECT FROM memberships m WHERE m.user_id = u.id)
  RETURNING user_id`;

async function insertMembers(
  client: PoolClient,
  context: Context,
  names: ReadonlyMap<string, string>,
): Promise<Map<string, { id: string; created: boolean }>> {
  if (names.size === 0) return new Map();
  await lockOrganization(client, context.organizationId);
  const given = [...names].map(([id, shown]) => ({ id: newId(), email: addressOf(context, id), name: shown }));
  const emails = given.map(({ email }) => email);
  await acrossOrganizations(() => client.query(INSERT_USERS, [JSON.stringify(given)]));
  const { rows: added } = await acrossOrganizations(() =>
    client.query<{ user_id: string }>(INSERT_MEMBERSHIPS, [context.organizationId, emails]),
  );
  const created = new Set(added.map(({ user_id }) => user_id));
  const { rows } = await client.query<{ id: string; email: string }>(
    "SELECT id, email FROM users WHERE email = ANY ($1::text[])",
    [emails],
  );
  const byEmail = new Map(rows.map(({ id, email }) => [email, id]));
  const { organizationId, userId: adminId, clientId, address } = context;
  for (const { id, email } of rows.filter((row) => created.has(row.id))) {
    const details = { member_id: id, member_email: email, role: "member", inactive: true };
    await recordAudit(client, { organizationId, userId: adminId, address }, "member.added", { clientId, details });
  }
  return new Map(
    [...names].map(([id, shown]) => {
      const member = byEmail.get(addressOf(context, id));
      if (!member) throw addressTaken(id, shown);
      return [id, { id: member, created: created.has(member) }];
    }),
  );
}

/** Such an address can no longer be given, but it may have been before. */
function addressTaken(id: string, name: string): AppError {
  const detail =
    `No member can be made of ${name} (${id}), because somebody else has the address that this member would get. ` +
    "Choose a member who is here for that user.";
  return new AppError("conflict", detail);
}
