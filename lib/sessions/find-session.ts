import { pool } from "@/lib/db";
import type { role } from "@/lib/generated/prisma/enums";
import { isId } from "@/lib/ids";

/** A live sign-in, with what its user is at this moment. */
export interface Session {
  id: string;
  organization_id: string;
  organization_name: string;
  user_id: string;
  user_name: string;
  user_email: string;
  role: role;
}

const FIND_SESSION = {
  name: "find_session",
  text: `SELECT s.id, s.organization_id, o.name AS organization_name, s.user_id, u.name AS user_name, u.email AS user_email, m.role
    FROM sessions s
    JOIN users u ON u.id = s.user_id AND u.disabled_at IS NULL
    JOIN memberships m ON m.organization_id = s.organization_id AND m.user_id = s.user_id
    JOIN organizations o ON o.id = s.organization_id
    WHERE s.id = $1 AND s.expires_at > now()`,
};

/** The session of that id, or null when it has ended or expired, its user is disabled or is no longer a member. Never cached. */
export async function findSession(id: string): Promise<Session | null> {
  if (!isId(id)) return null;
  const { rows } = await pool().query<Session>({ ...FIND_SESSION, values: [id] });
  return rows[0] ?? null;
}
