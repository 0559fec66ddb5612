import type { PoolClient } from "pg";
import { z } from "zod";

import type { Context } from "@/lib/context";
import { pool, transaction } from "@/lib/database/db";
import { forEachInItsOrganization } from "@/lib/database/housekeeping";
import { acrossOrganizations } from "@/lib/database/organization-scope";
import { AppError } from "@/lib/errors";
import { recordAudit } from "@/lib/security/audit";
import { hostOf } from "@/lib/webhooks/endpoints/webhook-fields";
import { TEST_EVENT } from "@/lib/webhooks/event-types";

/**
 * Who ends an access waits for who makes use of it here, and the other way round. Held in the order in which a member
 * is removed: membership, then grant.
 */
const LOCK_ACCESS = `
  SELECT FROM memberships m JOIN oauth_grants g ON g.organization_id = m.organization_id AND g.user_id = m.user_id
    JOIN oauth_clients c ON c.id = g.client_id AND c.revoked_at IS NULL
  WHERE m.organization_id = $1 AND m.user_id = $2 AND c.id = $3 AND m.role = 'admin' AND m.disabled_at IS NULL
  FOR SHARE OF m FOR KEY SHARE OF c, g`;

/**
 * Holds the access of the app that asks, if it is one, until the transaction ends: what it sets up is either seen by
 * whoever ends the access, or refused. Comes before every other lock. Throws `forbidden` when the access has ended
 * since the request was let in.
 */
export async function assertAppAccess(
  client: PoolClient,
  { organizationId, userId, clientId }: Context,
): Promise<void> {
  if (clientId === null) return;
  const { rowCount } = await client.query(LOCK_ACCESS, [organizationId, userId, clientId]);
  if (rowCount === 0)
    throw new AppError(
      "forbidden",
      "This app has lost its access meanwhile, or the person who allowed it is no admin any more. An admin can " +
        "allow it again.",
    );
}

/** Of the row `w` of webhooks: whether an app has named its endpoint that could not do so any more. */
export const ACCESS_HAS_ENDED = `(w.url_client_id IS NOT NULL AND NOT EXISTS (
    SELECT FROM oauth_grants g JOIN oauth_clients c ON c.id = g.client_id AND c.revoked_at IS NULL
      JOIN memberships m ON m.organization_id = g.organization_id AND m.user_id = g.user_id AND m.role = 'admin' AND m.disabled_at IS NULL
    WHERE g.organization_id = w.organization_id AND g.client_id = w.url_client_id AND g.user_id = w.url_set_by_id))`;

/** Whose access ends: of a client with everybody, of a person with every client, or of the two with one another. */
export type EndedAccess = { clientId: string; userId?: string } | { clientId?: string; userId: string };

/** What becomes of the webhooks whose endpoints an app has named, when its access ends. */
export const webhooksOfApp = z
  .enum(["switch_off", "keep"])
  .default("switch_off")
  .describe(
    "What becomes of the webhooks whose endpoints it named: they are switched off, or go on as webhooks of whoever " +
      "keeps them.",
  );

export type WebhooksOfApp = z.infer<typeof webhooksOfApp>;

const OF_APP = `organization_id = $1 AND url_client_id IS NOT NULL AND ($2::uuid IS NULL OR url_client_id = $2)
    AND ($3::uuid IS NULL OR url_set_by_id = $3)`;

/**
 * A test event is sent to a webhook that is off as well, so those that wait are given up. Deliveries are held before
 * webhooks, by ascending event.
 */
const FAIL_PENDING_TESTS = `
  WITH held AS MATERIALIZED (
    SELECT webhook_id, event_id FROM webhook_deliveries
    WHERE organization_id = $1 AND state = 'pending' AND type = '${TEST_EVENT}' AND webhook_id = ANY (ARRAY(SELECT id FROM webhooks WHERE ${OF_APP}))
    ORDER BY event_id FOR UPDATE
  )
  UPDATE webhook_deliveries d SET state = 'failed', next_attempt_at = NULL FROM held
  WHERE d.organization_id = $1 AND d.webhook_id = held.webhook_id AND d.event_id = held.event_id`;

/** In one order by all who hold several. */
const LOCKED = `WITH held AS MATERIALIZED (SELECT id FROM webhooks WHERE ${OF_APP} AND active ORDER BY id FOR UPDATE)`;

const SWITCH_OFF = `${LOCKED}
  UPDATE webhooks w SET active = false, disabled_at = now(), disabled_reason = 'access_ended', updated_at = now(), version = version + 1
  FROM held WHERE w.organization_id = $1 AND w.id = held.id RETURNING w.id, w.url, w.url_client_id AS "clientId"`;

/** $4: who keeps them. */
const KEEP = `${LOCKED}
  UPDATE webhooks w SET url_set_by_id = $4, url_client_id = NULL, updated_at = now(), version = version + 1
  FROM held WHERE w.organization_id = $1 AND w.id = held.id`;

/**
 * Ends with an access what would outlive it: switches off the webhooks whose endpoints were named through it, so that
 * from the commit on no delivery of theirs is begun, and tells each in the audit log. Or has whoever asks keep them. To
 * be called in the transaction that ends the access, once the access is gone. Gives how many there were, by the name
 * that an answer and the audit log have for it.
 */
export async function endWebhooksOfApp(
  client: PoolClient,
  { organizationId, userId, address }: Pick<Context, "organizationId" | "address"> & { userId: string | null },
  ended: EndedAccess,
  what: WebhooksOfApp = "switch_off",
): Promise<{ webhooks_switched_off: number } | { webhooks_kept: number }> {
  const values = [organizationId, ended.clientId ?? null, ended.userId ?? null];
  if (what === "keep") return { webhooks_kept: (await client.query(KEEP, [...values, userId])).rowCount ?? 0 };
  await client.query(FAIL_PENDING_TESTS, values);
  const { rows } = await client.query<{ id: string; url: string; clientId: string }>(SWITCH_OFF, values);
  for (const { id, url, clientId } of rows) {
    const details = { webhook_id: id, host: hostOf(url), reason: "access_ended" };
    await recordAudit(client, { organizationId, action: "webhook.disabled", address, userId, clientId, details });
  }
  return { webhooks_switched_off: rows.length };
}

const FIND_ORPHANED = `
  SELECT DISTINCT w.organization_id AS "organizationId", w.url_client_id AS "clientId", w.url_set_by_id AS "userId"
  FROM webhooks w WHERE w.active AND ${ACCESS_HAS_ENDED} ORDER BY 1`;

/**
 * Switches off webhooks of apps whose access has ended by some way that did not say so, in all organizations, and tells
 * it in the audit log as something that the service did. Gives how many.
 */
export async function disableOrphanedWebhooks(): Promise<number> {
  const { rows } = await acrossOrganizations(() =>
    pool().query<{ organizationId: string; clientId: string; userId: string }>(FIND_ORPHANED),
  );
  let total = 0;
  await forEachInItsOrganization(rows, async ({ organizationId, ...ended }) => {
    const service = { organizationId, userId: null, address: null };
    const told = await transaction((client) => endWebhooksOfApp(client, service, ended));
    total += "webhooks_switched_off" in told ? told.webhooks_switched_off : 0;
  });
  return total;
}
