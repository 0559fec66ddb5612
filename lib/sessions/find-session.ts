import { pool } from "@/lib/db";
import type { role } from "@/lib/generated/prisma/enums";
import { isId } from "@/lib/ids";
import { log } from "@/lib/log";
import { acrossOrganizations, inOrganization } from "@/lib/organization-scope";

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

/** How long a use of a session may go unwritten. */
const UNNOTED = "interval '1 minute'";

const FIND_SESSION = {
  name: "find_session",
  text: `SELECT s.id, s.organization_id, o.name AS organization_name, s.user_id, u.name AS user_name, u.email AS user_email, m.role,
      s.last_used_at < now() - ${UNNOTED} AS is_to_note
    FROM sessions s
    JOIN users u ON u.id = s.user_id
    JOIN memberships m ON m.organization_id = s.organization_id AND m.user_id = s.user_id AND m.disabled_at IS NULL
    JOIN organizations o ON o.id = s.organization_id
    WHERE s.id = $1 AND s.expires_at > now()`,
};

const NOTE_USE = `UPDATE sessions SET last_used_at = now(), address = $2 WHERE id = $1 AND last_used_at < now() - ${UNNOTED}`;

/**
 * The session of that id, or null when it has ended or expired, its user is disabled or is no longer a member. Never cached. When and from
 * which network `address` it was used last is kept true to about a minute, without making a request wait or write.
 */
export async function findSession(id: string, address: string): Promise<Session | null> {
  if (!isId(id)) return null;
  const { rows } = await acrossOrganizations(() => pool().query<Session & { is_to_note: boolean }>({ ...FIND_SESSION, values: [id] }));
  const [found] = rows;
  if (!found) return null;
  const { is_to_note, ...session } = found;
  if (is_to_note) noteUse(session, address);
  return session;
}

function noteUse({ id, organization_id }: Session, address: string): void {
  inOrganization(organization_id, () => pool().query(NOTE_USE, [id, address])).catch((error: unknown) =>
    log.warn({ err: error }, "could not note the use of a session"),
  );
}
