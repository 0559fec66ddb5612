import { z } from "zod";

import { pool } from "@/lib/database/db";
import { inOrganization } from "@/lib/database/organization-scope";
import { AppError } from "@/lib/errors";
import { role } from "@/lib/generated/prisma/enums";
import { idOrNull, MAX_UUID } from "@/lib/ids";
import { pathId } from "@/lib/input/ids-and-times";
import { cutPage, pageInput, pageOutput } from "@/lib/input/page";
import { defineOperation } from "@/lib/operation";

/** A member of the organization as records name them: as owner or author. */
const user = z.object({
  id: z.uuidv7(),
  name: z.string(),
  email: z.string(),
  role: z.enum(role).describe("Admins also manage API clients and webhooks."),
});

type User = z.infer<typeof user>;

/** The users of organization $1. */
const SELECT_MEMBERS = `
  SELECT m.user_id AS id, u.name, u.email, m.role FROM memberships AS m JOIN users AS u ON u.id = m.user_id
  WHERE m.organization_id = $1`;

/** Those of them who can sign in. */
const SELECT_USERS = `${SELECT_MEMBERS} AND m.disabled_at IS NULL`;

const SEARCH_FAULT = "`q` must have from 1 to 200 characters, none of them U+0000.";

export const userSearch = z
  .string()
  .min(1, SEARCH_FAULT)
  .max(200, SEARCH_FAULT)
  .refine((value) => !value.includes("\0"), SEARCH_FAULT)
  .exactOptional()
  .describe("Only users whose name or e-mail address has this text. Case and accents do not matter.");

/** Whether a user has the text of the parameter with this number. Nobody has one that is blank without its accents. */
export function hasText(parameter: number): string {
  const wanted = `search_folded($${parameter})`;
  return `strpos(search_folded(u.name || ' ' || u.email), ${wanted}) > 0 AND btrim(${wanted}) <> ''`;
}

export const listUsers = defineOperation({
  name: "list_users",
  summary:
    "List the users of the organization, by when they were first added, the latest first: all who can own a record. " +
    "Users who can no longer sign in are left out.",
  scopes: ["crm:read"],
  input: z.strictObject({
    ...pageInput,
    q: userSearch,
  }),
  output: pageOutput(user),
  async run({ organizationId }, { limit, cursor, q }) {
    const { text, values } = usersStatement(organizationId, limit, cursor, q);
    const { rows } = await pool().query<User>(text, values);
    return cutPage(rows, limit, ({ id }) => id);
  },
});

/** So many admins are named to a member who needs one. */
const MAX_NAMED_ADMINS = 5;

/** The admins who were added first, to be named to a member who needs one. */
export async function listAdmins(organizationId: string): Promise<Pick<User, "id" | "name" | "email">[]> {
  const text = `${SELECT_USERS} AND m.role = 'admin' ORDER BY m.user_id LIMIT ${MAX_NAMED_ADMINS}`;
  const { rows } = await inOrganization(organizationId, () => pool().query<User>(text, [organizationId]));
  return rows.map(({ id, name, email }) => ({ id, name, email }));
}

/** The statement for a page of users and one more: a range of the memberships' primary key, read in its order. */
export function usersStatement(
  organizationId: string,
  limit: number,
  cursor: string | undefined,
  q?: string,
): { text: string; values: unknown[] } {
  const values: unknown[] = [organizationId, limit + 1, cursor ?? MAX_UUID];
  const found = q === undefined ? "" : `AND ${hasText(values.push(q))}`;
  return { text: `${SELECT_USERS} AND m.user_id < $3 ${found} ORDER BY m.user_id DESC LIMIT $2`, values };
}

export const getUser = defineOperation({
  name: "get_user",
  summary:
    "Get a user of the organization, such as the owner of a record; also one who can no longer sign in, because " +
    "records keep their owner.",
  scopes: ["crm:read"],
  input: z.strictObject({ id: pathId("user") }),
  output: user,
  async run({ organizationId }, { id }) {
    const { rows } = await pool().query<User>(`${SELECT_MEMBERS} AND m.user_id = $2`, [organizationId, idOrNull(id)]);
    const [found] = rows;
    // Also for a user of another organization, and for an invalid id.
    if (!found) throw new AppError("not_found", "There is no user with this id, or no longer.");
    return found;
  },
});
