import { z } from "zod";

import { pool } from "@/lib/db";
import { defineOperation } from "@/lib/operation";
import { cutPage, pageInput, pageOutput } from "@/lib/page";
import { SELECT_USERS, type User, user } from "@/lib/sessions/user-view";

export const listUsers = defineOperation({
  name: "list_users",
  summary: "List the users of the organization, newest first: all who can own a record. Who can no longer sign in is left out.",
  scopes: ["crm:read"],
  input: z.strictObject(pageInput),
  output: pageOutput(user),
  async run({ organizationId }, { limit, cursor }) {
    const { text, values } = usersStatement(organizationId, limit, cursor);
    const { rows } = await pool().query<User>(text, values);
    return cutPage(rows, limit, ({ id }) => id);
  },
});

/** What asks for a page of users and one more: a range of the memberships' key, read in its order. */
export function usersStatement(organizationId: string, limit: number, cursor: string | undefined): { text: string; values: unknown[] } {
  const below = cursor === undefined ? "" : "AND m.user_id < $3";
  return {
    text: `${SELECT_USERS} ${below} ORDER BY m.user_id DESC LIMIT $2`,
    values: [organizationId, limit + 1, ...(cursor === undefined ? [] : [cursor])],
  };
}
