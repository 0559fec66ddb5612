import type { PoolClient } from "pg";

import { acrossOrganizations } from "@/lib/database/organization-scope";

const WITHOUT_ORGANIZATION = `
  SELECT id FROM users u WHERE id = ANY ($1::uuid[])
    AND NOT EXISTS (SELECT FROM memberships m WHERE m.user_id = u.id)`;

/** Only a member's row can be seen from within an organization, and so deleted. */
const TAKE_IN = `
  INSERT INTO memberships (organization_id, user_id, role, created_at, disabled_at)
  SELECT $1, id, 'member', now(), now() FROM unnest($2::uuid[]) AS id ON CONFLICT DO NOTHING`;

/**
 * Erases those of the users who belong to no organization: people who were removed, whose rows stay so that they can
 * come back as themselves. Their addresses are free then.
 */
export async function eraseUsersWithoutOrganization(
  client: PoolClient,
  organizationId: string,
  ids: readonly string[],
): Promise<void> {
  const { rows } = await acrossOrganizations(() => client.query<{ id: string }>(WITHOUT_ORGANIZATION, [ids]));
  const found = rows.map(({ id }) => id);
  if (found.length === 0) return;
  await client.query(TAKE_IN, [organizationId, found]);
  await client.query("DELETE FROM users WHERE id = ANY ($1::uuid[])", [found]);
}

/** Takes an address from somebody who was removed and belongs to no organization: they could not sign in with it. */
export async function freeAddress(client: PoolClient, organizationId: string, address: string): Promise<void> {
  const { rows } = await acrossOrganizations(() =>
    client.query<{ id: string }>("SELECT id FROM users WHERE email = $1 FOR UPDATE", [address]),
  );
  await eraseUsersWithoutOrganization(
    client,
    organizationId,
    rows.map(({ id }) => id),
  );
}
