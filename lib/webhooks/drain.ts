import { setTimeout as delay } from "node:timers/promises";

import { pool } from "@/lib/db";
import { findDue, findNextDue } from "@/lib/webhooks/due-deliveries";
import { findTarget } from "@/lib/webhooks/find-target";
import { Flight } from "@/lib/webhooks/flight";
import type { WebhookKey } from "@/lib/webhooks/webhook-key";

/** While some are under way, how long until a look for more: a delivery that hangs must not hold up what the endpoint would take. */
const LOOK_AGAIN_MS = 100;
/** An endpoint that answers nothing for so long is not waited for: a job has other things to do. */
const LONGEST_SILENCE_MS = 500;

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
 * Sends the due deliveries of one webhook, many at the same time, and has recorded what becomes of them. After `sliceMs` it begins no more, and an
 * endpoint that keeps silent it leaves alone with what is under way. Cut short at any moment, it loses nothing: what was not recorded is still due, and
 * is sent again under the same `webhook-id`.
 */
export async function drain(key: WebhookKey, sliceMs: number): Promise<Drained> {
  const end = Date.now() + sliceMs;
  await pool().query({ name: "webhooks-begin-drain", text: BEGIN, values: [key.organizationId, key.webhookId] });
  const flight = Flight.of(key);
  try {
    await attend(key, flight, end);
  } finally {
    await flight.lease().finally(() => flight.leave());
  }
  const isFull = flight.room === 0;
  const { at, isDue } = await findNextDue(key, flight.eventIds);
  // A flight that is full asks for a drain by itself, when something of it has ended.
  return { more: !isFull && isDue, nextDue: isFull ? null : at };
}

async function attend(key: WebhookKey, flight: Flight, end: number): Promise<void> {
  for (;;) {
    // Taken before the look: what is recorded meanwhile makes room that the look has not seen.
    const { change } = flight;
    if (Date.now() < end) await startDue(key, flight);
    if (flight.eventIds.length === 0 || flight.silence > LONGEST_SILENCE_MS) return;
    await Promise.race([change, delay(LOOK_AGAIN_MS)]);
  }
}

async function startDue(key: WebhookKey, flight: Flight): Promise<void> {
  if (flight.room === 0) return;
  const target = await findTarget(key);
  if (!target) return;
  const due = await findDue(key, { active: target.active, underWay: flight.eventIds, limit: flight.room });
  for (const delivery of due) flight.start(target, delivery);
}
