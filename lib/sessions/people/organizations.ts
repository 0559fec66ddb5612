import type { Pool, PoolClient } from "pg";

import { pool, prisma, transaction } from "@/lib/database/db";
import { acrossOrganizations, inOrganization } from "@/lib/database/organization-scope";
import { AppError } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { parseInput } from "@/lib/input/parse-input";
import { recordAudit } from "@/lib/security/audit";
import { insertPasswordLink } from "@/lib/sessions/members/password-link";
import { hashPassword } from "@/lib/sessions/passwords/password";
import { assertStrongPassword } from "@/lib/sessions/passwords/password-strength";
import { freeAddress } from "@/lib/sessions/people/erase-users";
import { insertUser } from "@/lib/sessions/people/insert-user";
import {
  type InvitedOrganization,
  invitedOrganization,
  type NewOrganization,
  organization,
} from "@/lib/sessions/people/person";
import type { PasswordLink } from "@/lib/sessions/schemas";

/**
 * Creates an organization and its first admin. Throws `invalid_request` with a fault per field, or `conflict` if the
 * admin's e-mail is in use.
 */
export async function createOrganization(input: NewOrganization): Promise<CreatedOrganization> {
  const { name, admin } = await readOrganization(input);
  return transaction((client) => insertOrganization(client, name, admin));
}

/**
 * Creates an organization whose first admin sets a password by a one-time link: for the operator, since no visit
 * creates a second organization. While that admin has never signed in, the same input makes another link. Throws as
 * {@link createOrganization} does.
 */
export async function inviteOrganization(input: InvitedOrganization): Promise<PasswordLink> {
  const { name, admin } = parseInput(invitedOrganization, input, "Some of the words are not valid.");
  return transaction(async (client) => {
    const invited = await findInvited(client, name, admin);
    const ids = invited ?? (await insertOrganization(client, name, { ...admin, passwordHash: null }));
    const link = await inOrganization(ids.organizationId, () => insertPasswordLink(client, ids, ids.userId));
    const member = { member_id: ids.userId, member_email: admin.email };
    const actor = { organizationId: ids.organizationId, address: null };
    if (invited)
      await recordAudit(client, actor, "password_link.created", {
        details: { ...member, expires_at: link.expires_at },
      });
    else await recordAudit(client, actor, "member.added", { details: { ...member, role: "admin" } });
    return link;
  });
}

const FIND_INVITED = `
  SELECT m.organization_id AS "organizationId", m.user_id AS "userId"
  FROM users u JOIN memberships m ON m.user_id = u.id JOIN organizations o ON o.id = m.organization_id
  WHERE u.email = $2 AND u.name = $3 AND u.password_hash IS NULL AND u.oidc_issuer IS NULL
    AND m.role = 'admin' AND m.disabled_at IS NULL AND o.name = $1 AND o.deleted_at IS NULL
  FOR NO KEY UPDATE OF m`;

const ACT_OF_ANOTHER = "SELECT FROM audit_events WHERE organization_id = $1 AND user_id <> $2 LIMIT 1";

/**
 * The admin of an earlier {@link inviteOrganization} who has not come yet. Somebody else's organization may have the
 * same name, and an admin of it may have added this person: so nobody else may ever have acted in it.
 */
async function findInvited(
  client: PoolClient,
  organizationName: string,
  { email, name }: Pick<Admin, "email" | "name">,
): Promise<CreatedOrganization | undefined> {
  const { rows } = await acrossOrganizations(() =>
    client.query<CreatedOrganization>(FIND_INVITED, [organizationName, email, name]),
  );
  const [found] = rows;
  if (!found) return undefined;
  const { organizationId, userId } = found;
  const acts = await inOrganization(organizationId, () => client.query(ACT_OF_ANOTHER, [organizationId, userId]));
  return acts.rowCount === 0 ? found : undefined;
}

/** Any constant will do; it makes first visits take turns. */
const SETUP_LOCK_KEY = 7_305_011;

/**
 * Creates the organization of the first visit and its admin, once. Of visits that race, one wins. Throws
 * `illegal_state` ever after, and `invalid_request` with a fault per field.
 */
export async function createFirstOrganization(input: NewOrganization): Promise<CreatedOrganization> {
  if (await organizationExists()) throw alreadySetUp();
  const { name, admin } = await readOrganization(input);
  return transaction(async (client) => {
    await client.query("SELECT pg_advisory_xact_lock($1)", [SETUP_LOCK_KEY]);
    if (await organizationExists(client)) throw alreadySetUp();
    return insertOrganization(client, name, admin);
  });
}

function alreadySetUp(): AppError {
  return new AppError("illegal_state", "This service has already been set up. Sign in instead.");
}

interface Admin {
  email: string;
  name: string;
  /** Null for one who has not set a password yet. */
  passwordHash: string | null;
}

/** Checks what was entered, and hashes the password. Throws `invalid_request` with a fault per field. */
async function readOrganization(input: NewOrganization): Promise<{ name: string; admin: Admin }> {
  const { name, admin } = parseInput(organization, input, "Some of the fields are not valid; see `errors`.");
  const { password, ...person } = admin;
  assertStrongPassword(password, { ...person, organization: name }, "/admin/password");
  return { name, admin: { ...person, passwordHash: await hashPassword(password) } };
}

interface CreatedOrganization {
  organizationId: string;
  /** Its first admin. */
  userId: string;
}

/** Stores an organization and its first admin within the caller's transaction. */
async function insertOrganization(client: PoolClient, name: string, admin: Admin): Promise<CreatedOrganization> {
  const organizationId = newId();
  const data = { id: organizationId, name, created_at: new Date() };
  await inOrganization(organizationId, async () => {
    await prisma().organizations.create({ data });
    await freeAddress(client, organizationId, admin.email);
  });
  const userId = await insertUser(client, { organizationId, role: "admin", ...admin });
  return { organizationId, userId };
}

/**
 * False before the first-run page has created the organization, and after the last one was deleted. By SQL, since a
 * start asks it, and Prisma's first query takes a tenth of a second.
 */
export async function organizationExists(db: Pick<Pool | PoolClient, "query"> = pool()): Promise<boolean> {
  const { rowCount } = await acrossOrganizations(() =>
    db.query("SELECT FROM organizations WHERE deleted_at IS NULL LIMIT 1"),
  );
  return rowCount !== 0;
}
