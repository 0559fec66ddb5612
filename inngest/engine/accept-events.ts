import { createHash } from "node:crypto";

import { z } from "zod";

import { MAX_EVENT_BYTES } from "@/inngest/engine/limits";
import { type JobEvent, storeEvents } from "@/inngest/engine/store-events";
import { transaction } from "@/lib/db";
import { newId } from "@/lib/ids";

/** Clocks differ a little; an event for later than this would have to wait, which the engine does not do. */
const MAX_AHEAD_MS = 60_000;

const sentEvents = z.array(
  z.object({ id: z.string().min(1).optional(), name: z.string().min(1), data: z.unknown(), ts: z.number().int(), v: z.string().optional() }),
);

/** `POST /e/<key>`: stores what `client.send` and `step.sendEvent` send, and answers with the events' ids. */
export async function acceptEvents(request: Request): Promise<Response> {
  const parsed = sentEvents.safeParse(await request.json());
  if (!parsed.success) return refuse(400, `The events are not valid: ${z.prettifyError(parsed.error)}`);
  // The SDK repeats a failed call with the same seed, so that ids derived from it keep the repetition from counting twice.
  const seed = request.headers.get("x-inngest-event-id-seed") ?? newId();
  const events = parsed.data.map(({ id, name, data, ts, v }, index): JobEvent => ({ id: id ?? derivedId(seed, index), name, data, ts, v }));
  for (const event of events) {
    if (Buffer.byteLength(JSON.stringify(event)) > MAX_EVENT_BYTES)
      return refuse(413, `The event ${event.name} has more than ${MAX_EVENT_BYTES} bytes.`);
    if (event.ts > Date.now() + MAX_AHEAD_MS) return refuse(400, `The event ${event.name} lies in the future; let its function sleep instead.`);
  }
  await transaction((db) => storeEvents(db, events));
  return Response.json({ ids: events.map((event) => event.id), status: 200 });
}

function derivedId(seed: string, index: number): string {
  return createHash("sha256").update(`${seed}:${index}`).digest("hex").slice(0, 32);
}

function refuse(status: number, error: string): Response {
  return Response.json({ ids: [], status, error }, { status });
}
