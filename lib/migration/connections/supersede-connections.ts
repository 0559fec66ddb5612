import { pool, transaction } from "@/lib/database/db";
import { forEachOrganization } from "@/lib/database/housekeeping";
import {
  connectionsOfSameSource,
  endConnections,
  revokeRefreshTokens,
} from "@/lib/migration/connections/end-connections";
import { purgeConnectionAttempts } from "@/lib/migration/connections/sign-in";

/**
 * Earlier migrations of the same org and user go on with the new tokens and address, so that one whose token had died
 * can be run again. Those of another user keep their own: their reports say what that user sees. So do those of another
 * host that merely says the same of itself. What is being analyzed or run goes on as it began. The tokens of
 * connections that no migration needs any more are deleted. Gives the ids of all other connections of that org and
 * user.
 */
export async function supersedeConnections(organizationId: string, connectionId: string): Promise<string[]> {
  const others = await connectionsOfSameSource(pool(), organizationId, connectionId);
  if (others.length === 0) return [];
  await pool().query(
    `UPDATE migrations SET connection_id = $2
     WHERE organization_id = $1 AND connection_id = ANY ($3) AND status NOT IN ('analyzing', 'running', 'undoing')`,
    [organizationId, connectionId, others],
  );
  await endUnused(organizationId, others);
  return others;
}

const UNREFERENCED = `
  SELECT id FROM connections c WHERE organization_id = $1 AND id = ANY ($2) AND access_token_enc IS NOT NULL
    AND NOT EXISTS (SELECT FROM migrations m WHERE m.organization_id = $1 AND m.connection_id = c.id)`;

/**
 * Deletes and revokes the tokens of those connections that no migration needs. They are locked and looked at once more: a
 * statement does not see a migration that was stored while it waited.
 */
async function endUnused(organizationId: string, ids: readonly string[]): Promise<void> {
  const ended = await transaction(async (client) => {
    const find = async (text: string, among: readonly string[]) =>
      (await client.query<{ id: string }>(text, [organizationId, among])).rows.map(({ id }) => id);
    const locked = await find(`${UNREFERENCED} ORDER BY id FOR UPDATE`, ids);
    return endConnections(client, organizationId, await find(UNREFERENCED, locked));
  });
  await revokeRefreshTokens(ended);
}

/** A connection that was made and not used is forgotten after this long; the page that was to use it is long gone. */
const UNUSED_FOR = "1 day";

/**
 * Those with access, newest first, beside which there are others that say the same org of themselves, whichever host
 * says so.
 */
const OF_SHARED_ORG = `
  SELECT id FROM (
    SELECT id, access_token_enc, count(*) OVER (PARTITION BY source_org_id) AS of_org FROM connections
    WHERE organization_id = $1 AND source_org_id IS NOT NULL
  ) c WHERE access_token_enc IS NOT NULL AND of_org > 1 ORDER BY id DESC`;

const UNUSED = `
  SELECT id FROM connections c WHERE organization_id = $1 AND access_token_enc IS NOT NULL AND created_at < now() - interval '${UNUSED_FOR}'
    AND NOT EXISTS (SELECT FROM migrations m WHERE m.organization_id = c.organization_id AND m.connection_id = c.id)`;

/**
 * Deletes tokens that nothing needs any more, of all organizations: of connections whose last run went on after a newer
 * one was made, and of those that nobody used; and sign-ins at Salesforce that never came back.
 */
export async function sweepConnections(): Promise<void> {
  await purgeConnectionAttempts();
  await forEachOrganization(async (organizationId) => {
    await sweepSuperseded(organizationId);
    const { rows } = await pool().query<{ id: string }>(UNUSED, [organizationId]);
    for (const { id } of rows) await endUnused(organizationId, [id]);
  });
}

async function sweepSuperseded(organizationId: string): Promise<void> {
  const { rows } = await pool().query<{ id: string }>(OF_SHARED_ORG, [organizationId]);
  const superseded = new Set<string>();
  for (const { id } of rows) {
    if (superseded.has(id)) continue;
    for (const other of await supersedeConnections(organizationId, id)) superseded.add(other);
  }
}
