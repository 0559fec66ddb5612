import { z } from "zod";

import { pool } from "@/lib/db";
import { role } from "@/lib/generated/prisma/enums";
import { defineOperation } from "@/lib/operation";
import { cutPage, pageInput, pageOutput } from "@/lib/page";

const member = z.object({
  user_id: z.uuidv7(),
  name: z.string(),
  email: z.string(),
  role: z.enum(role),
  is_disabled: z.boolean().describe("Whether this person can no longer sign in."),
});

const SELECT = `
  SELECT m.user_id, u.name, u.email, m.role, u.disabled_at IS NOT NULL AS is_disabled
  FROM memberships m JOIN users u ON u.id = m.user_id
  WHERE m.organization_id = $1`;

export const listMembers = defineOperation({
  name: "list_members",
  summary: "List the people of the organization, newest first.",
  scopes: [],
  people: "admins",
  input: z.strictObject(pageInput),
  output: pageOutput(member),
  async run({ organizationId }, { limit, cursor }) {
    const below = cursor === undefined ? "" : "AND m.user_id < $3";
    const values = [organizationId, limit + 1, ...(cursor === undefined ? [] : [cursor])];
    const { rows } = await pool().query<z.infer<typeof member>>(`${SELECT} ${below} ORDER BY m.user_id DESC LIMIT $2`, values);
    return cutPage(rows, limit, ({ user_id }) => user_id);
  },
});
