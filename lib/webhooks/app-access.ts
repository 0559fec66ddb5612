import type { PoolClient } from "pg";
import { z } from "zod";

import type { Context } from "@/lib/context";
import { pool, transaction } from "@/lib/database/db";
import { forEachInItsOrganization } from "@/lib/database/housekeeping";
import { acrossOrganizations } from "@/lib/database/organization-scope";
import { AppError } from "@/lib/errors";
import { TEST_EVENT } from "@/lib/event-format";
import { recordAudit } from "@/lib/security/audit";
import { hostOf } from "@/lib/webhooks/endpoints/webhook-fields";

/**
 * Locks membership, client and grant in the order in which members are removed, so that a use of the access and its end
 * wait for each other.
 */
const LOCK_ACCESS = `
  SELECT FROM memberships m JOIN oauth_grants g ON g.organization_id = m.organization_id AND g.user_id = m.user_id
    JOIN oauth_clients c ON c.id = g.client_id AND c.revoked_at IS NULL
  WHERE m.organization_id = $1 AND m.user_id = $2 AND c.id = $3 AND m.role = 'admin' AND m.disabled_at IS NULL
  FOR SHARE OF m FOR KEY SHARE OF c, g`;

/**
 * Locks the access of the app that makes the request, if it is one, until the transaction ends. So whoever ends the
 * access sees what the app has set up, or the app is refused. Take this lock before every other one. Throws `forbidden`
 * when the access has ended since the request was authenticated.
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
      "This app has just lost its access, or the person who allowed it is no longer an admin. " +
        "An admin can allow it again.",
    );
}

/** Whether the endpoint of the webhook `w` was set by an app whose access has ended. */
export const ACCESS_HAS_ENDED = `(w.url_client_id IS NOT NULL AND NOT EXISTS (
    SELECT FROM oauth_grants g JOIN oauth_clients c ON c.id = g.client_id AND c.revoked_at IS NULL
      JOIN memberships m ON m.organization_id = g.organization_id AND m.user_id = g.user_id AND m.role = 'admin'
        AND m.disabled_at IS NULL
    WHERE g.organization_id = w.organization_id AND g.client_id = w.url_client_id AND g.user_id = w.url_set_by_id))`;

/** Which access ends: of a client to everybody, of every client to a person, or of one client to one person. */
export type EndedAccess = { clientId: string; userId?: string } | { clientId?: string; userId: string };

/** What happens to the webhooks of an app when its access ends. */
export const webhooksOfApp = z
  .enum(["switch_off", "keep"])
  .default("switch_off")
  .describe(
    "What happens to the webhooks whose endpoints it set: they are switched off, or kept as webhooks of the person " +
      "who sends this request.",
  );

export type WebhooksOfApp = z.infer<typeof webhooksOfApp>;

const OF_APP = `organization_id = $1 AND url_client_id IS NOT NULL AND ($2::uuid IS NULL OR url_client_id = $2)
    AND ($3::uuid IS NULL OR url_set_by_id = $3)`;

/**
 * Fails pending test events, which would be sent even though the webhook is off. Deliveries are locked before webhooks,
 * by ascending event id.
 */
const FAIL_PENDING_TESTS = `
  WITH locked AS MATERIALIZED (
    SELECT webhook_id, event_id FROM webhook_deliveries
    WHERE organization_id = $1 AND state = 'pending' AND type = '${TEST_EVENT}'
      AND webhook_id = ANY (ARRAY(SELECT id FROM webhooks WHERE ${OF_APP}))
    ORDER BY event_id FOR UPDATE
  )
  UPDATE webhook_deliveries d SET state = 'failed', next_attempt_at = NULL FROM locked
  WHERE d.organization_id = $1 AND d.webhook_id = locked.webhook_id AND d.event_id = locked.event_id`;

/** All statements lock several webhooks in this order. */
const LOCKED = `WITH locked AS MATERIALIZED (
    SELECT id FROM webhooks WHERE ${OF_APP} AND active ORDER BY id FOR UPDATE
  )`;

const SWITCH_OFF = `${LOCKED}
  UPDATE webhooks w SET active = false, disabled_at = now(), disabled_reason = 'access_ended', updated_at = now(),
    version = version + 1
  FROM locked WHERE w.organization_id = $1 AND w.id = locked.id RETURNING w.id, w.url, w.url_client_id AS "clientId"`;

/** $4: the member who keeps them. */
const KEEP = `${LOCKED}
  UPDATE webhooks w SET url_set_by_id = $4, url_client_id = NULL, updated_at = now(), version = version + 1
  FROM locked WHERE w.organization_id = $1 AND w.id = locked.id`;

/**
 * Switches off the webhooks whose endpoints were set through an access that ends, and records each in the audit log; or
 * makes them webhooks of the member who keeps them. From the commit on, no delivery of a switched-off webhook starts.
 * Call it in the transaction that ends the access, after the access is deleted. Returns their number, under the name
 * that the API's answer and the audit log use.
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
    await recordAudit(client, { organizationId, userId, address }, "webhook.disabled", { clientId, details });
  }
  return { webhooks_switched_off: rows.length };
}

const FIND_ORPHANED = `
  SELECT DISTINCT w.organization_id AS "organizationId", w.url_client_id AS "clientId", w.url_set_by_id AS "userId"
  FROM webhooks w WHERE w.active AND ${ACCESS_HAS_ENDED} ORDER BY 1`;

/**
 * Switches off webhooks of apps whose access has ended without {@link endWebhooksOfApp}, in all organizations, and
 * records it in the audit log as done by the service. Returns their number.
 */
export async function disableOrphanedWebhooks(): Promise<number> {
  const { rows } = await acrossOrganizations(() =>
    pool().query<{ organizationId: string; clientId: string; userId: string }>(FIND_ORPHANED),
  );
  let total = 0;
  await forEachInItsOrganization(rows, async ({ organizationId, ...ended }) => {
    const service = { organizationId, userId: null, address: null };
    const outcome = await transaction((client) => endWebhooksOfApp(client, service, ended));
    total += "webhooks_switched_off" in outcome ? outcome.webhooks_switched_off : 0;
  });
  return total;
}
