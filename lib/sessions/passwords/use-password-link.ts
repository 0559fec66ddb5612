import { z } from "zod";

import { pool, transaction } from "@/lib/database/db";
import { acrossOrganizations, inOrganization } from "@/lib/database/organization-scope";
import { AppError } from "@/lib/errors";
import { parseInput } from "@/lib/input/parse-input";
import { recordAudit } from "@/lib/security/audit";
import { sha256 } from "@/lib/security/crypto";
import { assertAttemptAllowed, networkOf, undoAttempt, type Throttle } from "@/lib/security/throttle";
import { endAccess } from "@/lib/sessions/members/member-access";
import { hashPassword } from "@/lib/sessions/passwords/password";
import { assertStrongPassword } from "@/lib/sessions/passwords/password-strength";
import { newPassword } from "@/lib/sessions/people/person";

/** Protects the database from requests; the token, of 256 bits, needs no protection. */
const PER_NETWORK: Throttle = { name: "password-link", limit: 30, windowSeconds: 15 * 60, isOpen: true };

/** The person that a link is for, as the page shows them before the password is set. */
interface LinkedPerson {
  email: string;
  name: string;
  organization: string;
}

/** A link does not work for a person who has meanwhile been disabled or become a member elsewhere as well. */
const LIVE_LINK = `
  password_links l
  JOIN memberships m ON m.organization_id = l.organization_id AND m.user_id = l.user_id AND m.disabled_at IS NULL
  WHERE l.token_hash = $1 AND l.expires_at > now()
    AND NOT EXISTS (SELECT FROM memberships o WHERE o.user_id = l.user_id AND o.organization_id <> l.organization_id)`;

const FIND_PERSON = `
  SELECT u.email, u.name, o.name AS organization FROM (SELECT l.organization_id, l.user_id FROM ${LIVE_LINK}) l
  JOIN users u ON u.id = l.user_id JOIN organizations o ON o.id = l.organization_id`;

/**
 * Of uses that race, only one deletes the link. FOR SHARE keeps the membership unchanged until the password is set.
 * Nobody makes a link for themselves, so one that says so was made by the operator.
 */
const SPEND_LINK = `
  WITH live AS (SELECT l.organization_id, l.user_id FROM ${LIVE_LINK} FOR SHARE OF m)
  DELETE FROM password_links l USING live
  WHERE l.organization_id = live.organization_id AND l.user_id = live.user_id AND l.token_hash = $1
  RETURNING l.organization_id AS "organizationId", l.user_id AS "userId",
    (SELECT email FROM users WHERE id = l.created_by_id AND id <> l.user_id) AS made_by`;

const SET_PASSWORD = "UPDATE users SET password_hash = $2, has_link_password = true WHERE id = $1";

interface Spent {
  organizationId: string;
  userId: string;
  made_by: string | null;
}

const findInput = z.strictObject({ token: z.string() });

const useInput = z.strictObject({ token: z.string(), password: newPassword });

/**
 * The person that a one-time link is for; the link stays valid. Throws `not_found` if it is unknown, used, replaced or
 * expired, without saying which.
 */
export function findLinkedPerson(given: unknown, address: string): Promise<LinkedPerson> {
  const { token } = parseInput(findInput, given, "This is no one-time link.");
  return throttled(address, () => findPerson(token));
}

/**
 * Sets the password of the person that a one-time link is for. Ends the link and all access that the person had before:
 * sessions, and what they have allowed apps. Throws `not_found` as {@link findLinkedPerson} does, and `invalid_request`
 * for a password that is too weak; the link then still works.
 */
export async function setPasswordByLink(given: unknown, address: string): Promise<LinkedPerson> {
  const { token, password } = parseInput(useInput, given, "The password cannot be set like this; see `errors`.");
  const person = await throttled(address, () => findPerson(token));
  assertStrongPassword(password, person, "/password");
  const passwordHash = await hashPassword(password);
  await throttled(address, () => spendLink(token, passwordHash, address));
  return person;
}

function spendLink(token: string, passwordHash: string, address: string): Promise<void> {
  return transaction(async (client) => {
    const { rows } = await acrossOrganizations(() => client.query<Spent>(SPEND_LINK, [sha256(token)]));
    const [spent] = rows;
    if (!spent) throw noSuchLink();
    const { organizationId, userId, made_by } = spent;
    await inOrganization(organizationId, () => client.query(SET_PASSWORD, [userId, passwordHash]));
    // Links are also made for people whose account somebody else has entered: the access of that intruder must end.
    const { user_id: _, ...ended } = await inOrganization(organizationId, () =>
      endAccess(client, { organizationId, userId, address }, userId),
    );
    const details = { made_by, ...ended };
    await recordAudit(client, { organizationId, userId, address }, "password_link.used", { details });
  });
}

/** Counts attempts with links that do not work. Around nothing else: a weak password must not use up the limit. */
async function throttled<T>(address: string, attempt: () => Promise<T>): Promise<T> {
  const network = networkOf(address);
  await assertAttemptAllowed(PER_NETWORK, network, "Too many links were tried.");
  const result = await attempt();
  await undoAttempt(PER_NETWORK, network);
  return result;
}

async function findPerson(token: string): Promise<LinkedPerson> {
  const { rows } = await acrossOrganizations(() => pool().query<LinkedPerson>(FIND_PERSON, [sha256(token)]));
  if (!rows[0]) throw noSuchLink();
  return rows[0];
}

function noSuchLink(): AppError {
  return new AppError(
    "not_found",
    "This link does not work (any more): a link can be used once, within 24 hours. Ask whoever gave " +
      "it to you for a new one.",
  );
}
