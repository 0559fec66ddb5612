import type { PoolClient } from "pg";

import { pool, transaction } from "@/lib/database/db";
import { forEachOrganization } from "@/lib/database/housekeeping";
import {
  connectionsOfSameSource,
  endConnections,
  revokeRefreshTokens,
} from "@/lib/migration/connections/end-connections";
import { resumeAfterSignIn } from "@/lib/migration/runs/control-run";
import { log } from "@/lib/log";
import type { MigrationKey } from "@/lib/migration/migration-schema";

/**
 * Gives earlier migrations of the same org and Salesforce user the new connection, so that one whose token has expired
 * can be run again. Unaffected are migrations of another user, whose reports show what that user sees; of another host
 * that only claims to be the same org; those that are being analyzed or run; and those of a connection that is as good,
 * see {@link takeOver}. A run that paused because its access was refused goes on. Then ends connections that no
 * migration uses. Returns the ids of the connections that were superseded.
 */
export async function supersedeConnections(organizationId: string, connectionId: string): Promise<string[]> {
  const superseded = await transaction((client) => takeOver(client, organizationId, connectionId));
  if (superseded === null) return [];
  await resumeAfterSignIn(organizationId, connectionId);
  await endUnused(organizationId, superseded);
  return superseded;
}

/** Supersedes what a connection that has just been stored replaces. The purge repeats what fails. */
export async function trySupersede(organizationId: string, connectionId: string): Promise<void> {
  await supersedeConnections(organizationId, connectionId).catch((error: unknown) => {
    log.warn({ connection_id: connectionId, err: error }, "could not supersede earlier connections; the purge will");
  });
}

const LOCK_RECEIVER = `
  SELECT refresh_token_enc IS NOT NULL AS renewable FROM connections
  WHERE organization_id = $1 AND id = $2 AND access_token_enc IS NOT NULL FOR KEY SHARE`;

const EARLIER = `
  SELECT id, $4 OR refresh_token_enc IS NULL AS superseded FROM connections
  WHERE organization_id = $1 AND id = ANY ($3) AND id < $2`;

const GIVE = `
  UPDATE migrations SET connection_id = $2
  WHERE organization_id = $1 AND status NOT IN ('analyzing', 'running', 'undoing')
    AND (connection_id = ANY ($3)
      OR connection_id = ANY ($4) AND status = 'paused' AND failure ->> 'code' = 'source_token_refused')`;

/**
 * Gives the migrations of earlier connections to this one, and returns those connections. An access token, which
 * expires, does not supersede a sign-in, which is renewed: of a sign-in it gets only what paused because that was
 * refused. Null if the connection has ended meanwhile; it cannot end before the commit.
 */
async function takeOver(client: PoolClient, organizationId: string, connectionId: string): Promise<string[] | null> {
  const locked = await client.query<{ renewable: boolean }>(LOCK_RECEIVER, [organizationId, connectionId]);
  const [receiver] = locked.rows;
  if (!receiver) return null;
  const others = await connectionsOfSameSource(client, organizationId, connectionId);
  const { rows } = await client.query<{ id: string; superseded: boolean }>(EARLIER, [
    organizationId,
    connectionId,
    others,
    receiver.renewable,
  ]);
  const superseded = rows.filter((row) => row.superseded).map(({ id }) => id);
  const kept = rows.filter((row) => !row.superseded).map(({ id }) => id);
  if (rows.length > 0) await client.query(GIVE, [organizationId, connectionId, superseded, kept]);
  return superseded;
}

const NEWER = `
  SELECT id FROM connections WHERE organization_id = $1 AND id = ANY ($2) AND id > $3 AND access_token_enc IS NOT NULL
  ORDER BY id DESC LIMIT 1`;

/** Gives a run that has just paused the access to its org that was given while it still ran, if there is any. */
export async function takeNewerConnection({ organizationId, migrationId }: MigrationKey): Promise<void> {
  const found = await pool().query<{ connection_id: string }>(
    "SELECT connection_id FROM migrations WHERE organization_id = $1 AND id = $2",
    [organizationId, migrationId],
  );
  const current = found.rows[0]?.connection_id;
  if (!current) return;
  const others = await connectionsOfSameSource(pool(), organizationId, current);
  const newer = await pool().query<{ id: string }>(NEWER, [organizationId, others, current]);
  if (newer.rows[0]) await supersedeConnections(organizationId, newer.rows[0].id);
}

const UNREFERENCED = `
  SELECT id FROM connections c WHERE organization_id = $1 AND id = ANY ($2) AND access_token_enc IS NOT NULL
    AND NOT EXISTS (SELECT FROM migrations m WHERE m.organization_id = $1 AND m.connection_id = c.id)`;

/**
 * Deletes and revokes the tokens of the connections that no migration uses. They are locked and then checked again,
 * because a statement does not see a migration that was stored while it waited for the lock.
 */
async function endUnused(organizationId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const ended = await transaction(async (client) => {
    const find = async (text: string, among: readonly string[]) =>
      (await client.query<{ id: string }>(text, [organizationId, among])).rows.map(({ id }) => id);
    const locked = await find(`${UNREFERENCED} ORDER BY id FOR UPDATE`, ids);
    return endConnections(client, organizationId, await find(UNREFERENCED, locked));
  });
  await revokeRefreshTokens(ended);
}

/** A connection that nobody has used is ended after this time. */
const UNUSED_FOR = "1 day";

/** Connections with access, newest first, whose org id other connections have as well, from any host. */
const OF_SHARED_ORG = `
  SELECT id FROM (
    SELECT id, access_token_enc, count(*) OVER (PARTITION BY source_org_id) AS of_org FROM connections
    WHERE organization_id = $1 AND source_org_id IS NOT NULL
  ) c WHERE access_token_enc IS NOT NULL AND of_org > 1 ORDER BY id DESC`;

const UNUSED = `
  SELECT id FROM connections c
  WHERE organization_id = $1 AND access_token_enc IS NOT NULL AND created_at < now() - interval '${UNUSED_FOR}'
    AND NOT EXISTS (SELECT FROM migrations m WHERE m.organization_id = c.organization_id AND m.connection_id = c.id)`;

/**
 * Deletes unused tokens in all organizations: of superseded connections whose last run has ended since, and of
 * connections that nobody has used.
 */
export async function purgeConnections(): Promise<void> {
  await forEachOrganization(async (organizationId) => {
    await purgeSuperseded(organizationId);
    const { rows } = await pool().query<{ id: string }>(UNUSED, [organizationId]);
    for (const { id } of rows) await endUnused(organizationId, [id]);
  });
}

async function purgeSuperseded(organizationId: string): Promise<void> {
  const { rows } = await pool().query<{ id: string }>(OF_SHARED_ORG, [organizationId]);
  const superseded = new Set<string>();
  for (const { id } of rows) {
    if (superseded.has(id)) continue;
    for (const other of await supersedeConnections(organizationId, id)) superseded.add(other);
  }
}
