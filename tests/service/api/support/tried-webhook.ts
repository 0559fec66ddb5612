import { setTimeout as pause } from "node:timers/promises";

import { accepts, type Behaviour, type WebhookReceiver } from "@/tests/support/webhook-receiver";

/** Asks the service for what must succeed. */
export type Make = (method: string, path: string, body?: unknown) => Promise<Record<string, unknown>>;

const POLL_EVERY_MS = 50;

/** A webhook that has taken an event, and another one only at the second attempt or later: `event_id`. */
export interface TriedWebhook {
  id: string;
  event_id: string;
}

const fails: Behaviour = (response) => void response.writeHead(503, { "content-type": "text/plain" }).end("Not now");

/**
 * Creates a webhook and sends it test events: one that arrives and one that does not yet, so that answers tell of both.
 */
export async function tryWebhook(make: Make, receiver: WebhookReceiver): Promise<TriedWebhook> {
  const { id } = await make("POST", "/webhooks", {
    url: receiver.url,
    events: ["lead.converted"],
    secret: "The order desk's own",
  });
  const test = async (behaviour: Behaviour): Promise<string> => {
    receiver.behaviour = behaviour;
    const { event_id } = await make("POST", `/webhooks/${String(id)}/test`);
    for (;;) {
      const { last_attempt } = await make("GET", `/webhooks/${String(id)}/deliveries/${String(event_id)}`);
      if (last_attempt !== null) return String(event_id);
      await pause(POLL_EVERY_MS);
    }
  };
  await test(accepts);
  const event_id = await test(fails);
  receiver.behaviour = accepts;
  return { id: String(id), event_id };
}
