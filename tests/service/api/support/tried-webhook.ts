import { setTimeout as pause } from "node:timers/promises";

import { accepts, type Behaviour, type WebhookReceiver } from "@/tests/support/webhook-receiver";

/** Sends a request that must succeed. */
export type Make = (method: string, path: string, body?: unknown) => Promise<Record<string, unknown>>;

const POLL_EVERY_MS = 50;

/** A webhook with one delivered event and one event that is not delivered at the first attempt (`event_id`). */
export interface TriedWebhook {
  id: string;
  event_id: string;
}

const fails: Behaviour = (response) => void response.writeHead(503, { "content-type": "text/plain" }).end("Not now");

/** Creates a webhook and sends it two test events, one delivered and one not yet, so that answers contain both. */
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
