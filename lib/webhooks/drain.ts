import { setTimeout as delay } from "node:timers/promises";

import { pool } from "@/lib/db";
import { type DueDelivery, findDue, findNextDue } from "@/lib/webhooks/due-deliveries";
import { findTarget, type Target } from "@/lib/webhooks/find-target";
import { type AttemptedDelivery, recordAttempts } from "@/lib/webhooks/record-attempts";
import { send } from "@/lib/webhooks/send";
import type { WebhookKey } from "@/lib/webhooks/webhook-key";

/** Requests to one endpoint at the same time. */
const MOST_AT_ONCE = 32;
/** While some are under way, how long until a look for more: an endpoint that hangs must not hold up what it would take. */
const LOOK_AGAIN_MS = 100;

/** What a drain leaves behind. */
export interface Drained {
  /** Its time was over before everything due was sent. */
  more: boolean;
  /** When the next delivery is due. */
  nextDue: Date | null;
}

/** Whoever writes a delivery from now on asks for another drain; whatever was written before is seen by this one. */
const BEGIN = "UPDATE webhooks SET drain_asked_at = NULL WHERE organization_id = $1 AND id = $2 AND drain_asked_at IS NOT NULL";

/**
 * Sends the due deliveries of one webhook, many at the same time, and records what becomes of them. After `sliceMs` it begins no more. Cut short at any
 * moment, it loses nothing: what was not recorded is still due, and is sent again under the same `webhook-id`.
 */
export async function drain(key: WebhookKey, sliceMs: number): Promise<Drained> {
  const end = Date.now() + sliceMs;
  const underWay = new Set<string>();
  const done: AttemptedDelivery[] = [];
  let arrival = Promise.withResolvers<void>();
  const start = (target: Target, { eventId, tries, body }: DueDelivery) => {
    underWay.add(eventId);
    void send({ url: target.url, secrets: target.secrets, id: eventId, body }).then((attempt) => {
      done.push({ eventId, tries, attempt });
      arrival.resolve();
    });
  };
  await pool().query({ name: "webhooks-begin-drain", text: BEGIN, values: [key.organizationId, key.webhookId] });
  for (;;) {
    const found = Date.now() < end ? await findWork(key, underWay) : null;
    for (const delivery of found?.due ?? []) if (found) start(found.target, delivery);
    if (underWay.size === 0) break;
    await Promise.race([arrival.promise, delay(LOOK_AGAIN_MS)]);
    arrival = Promise.withResolvers<void>();
    const attempted = done.splice(0);
    if (attempted.length > 0) await recordAttempts(key, attempted);
    for (const { eventId } of attempted) underWay.delete(eventId);
  }
  const nextDue = await findNextDue(key);
  return { more: nextDue !== null && nextDue.getTime() <= Date.now(), nextDue };
}

async function findWork(key: WebhookKey, underWay: ReadonlySet<string>): Promise<{ target: Target; due: DueDelivery[] } | null> {
  const room = MOST_AT_ONCE - underWay.size;
  if (room === 0) return null;
  const target = await findTarget(key);
  return target && { target, due: await findDue(key, { active: target.active, underWay: [...underWay], limit: room }) };
}
