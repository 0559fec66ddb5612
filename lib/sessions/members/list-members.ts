import type { Pool, PoolClient } from "pg";
import { z } from "zod";

import { pool } from "@/lib/database/db";
import { isoText } from "@/lib/database/iso-text";
import { MAX_UUID } from "@/lib/ids";
import { cutPage, pageInput, pageOutput } from "@/lib/input/page";
import { defineOperation } from "@/lib/operation";
import { hasText, userSearch } from "@/lib/sessions/people/users";
import { type Member, member } from "@/lib/sessions/schemas";

const SELECT = `
  SELECT m.user_id, u.name, u.email, m.role, ${isoText("m.created_at")} AS joined_at,
    u.password_hash IS NOT NULL AS has_password,
    CASE WHEN m.disabled_at IS NOT NULL THEN 'disabled'
      WHEN u.password_hash IS NULL AND u.oidc_subject IS NULL THEN 'invited' ELSE 'active' END AS status,
    s.sessions, ${isoText("s.last_used_at")} AS last_used_at,
    (SELECT ${isoText("l.expires_at")} FROM password_links l
      WHERE l.organization_id = m.organization_id AND l.user_id = m.user_id AND l.expires_at > now()) AS link_expires_at
  FROM memberships m
  JOIN users u ON u.id = m.user_id
  CROSS JOIN LATERAL (
    SELECT count(*)::int AS sessions, max(last_used_at) AS last_used_at
    FROM sessions WHERE organization_id = m.organization_id AND user_id = m.user_id AND expires_at > now()) s
  WHERE m.organization_id = $1`;

export const listMembers = defineOperation({
  name: "list_members",
  summary:
    "List the members of the organization, by when they were first added, the latest first; with `q`, those whose " +
    "name or e-mail address has it.",
  scopes: [],
  people: "admins",
  input: z.strictObject({ ...pageInput, q: userSearch }),
  output: pageOutput(member),
  async run({ organizationId }, { limit, cursor, q }) {
    const values: unknown[] = [organizationId, limit + 1, cursor ?? MAX_UUID];
    const found = q === undefined ? "" : `AND ${hasText(values.push(q))}`;
    const text = `${SELECT} AND m.user_id < $3 ${found} ORDER BY m.user_id DESC LIMIT $2`;
    const { rows } = await pool().query<Member>(text, values);
    return cutPage(rows, limit, ({ user_id }) => user_id);
  },
});

/** A member as the list shows it. The member must exist. */
export async function memberView(database: Pool | PoolClient, organizationId: string, userId: string): Promise<Member> {
  const { rows } = await database.query<Member>(`${SELECT} AND m.user_id = $2`, [organizationId, userId]);
  const [row] = rows;
  if (!row) throw new Error("A locked member is missing.");
  return row;
}
