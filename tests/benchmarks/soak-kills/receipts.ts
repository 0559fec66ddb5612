import { createHash } from "node:crypto";

import { Webhook } from "standardwebhooks";

import { accepts, type Received, WebhookReceiver } from "@/tests/support/webhook-receiver";

/** What an endpoint has received. */
export class Receipts {
  /** The ids of verified deliveries by organization. */
  readonly idsOf = new Map<string, Set<string>>();
  deliveries = 0;
  repeated = 0;
  /** Sentences about deliveries that are not signed, or not the same as before under the same id. */
  readonly faults: string[] = [];
  readonly #digests = new Map<string, string>();
  readonly #verifier: Webhook;

  constructor(secret: string) {
    this.#verifier = new Webhook(secret);
  }

  /** An endpoint that accepts every delivery, and notes it here. */
  async receive(): Promise<WebhookReceiver> {
    const receiver = await WebhookReceiver.start();
    receiver.behaviour = (response, number, received) => {
      this.note(received);
      // The bodies of half an hour would fill the memory.
      receiver.received.length = 0;
      accepts(response, number, received);
    };
    return receiver;
  }

  note({ id, headers, body }: Received): void {
    this.deliveries += 1;
    try {
      this.#verifier.verify(body, headers as Record<string, string>);
    } catch (error) {
      this.faults.push(`The delivery ${id} has no valid signature: ${String(error)}`);
      return;
    }
    const { id: inBody, organization_id } = JSON.parse(body) as { id: string; organization_id: string };
    if (inBody !== id) this.faults.push(`The delivery ${id} has the event ${inBody}.`);
    const digest = createHash("sha256").update(body).digest("base64");
    const before = this.#digests.get(id);
    if (before !== undefined) this.repeated += 1;
    if (before !== undefined && before !== digest)
      this.faults.push(`The delivery ${id} was repeated with another body.`);
    this.#digests.set(id, digest);
    const ids = this.idsOf.get(organization_id) ?? new Set<string>();
    this.idsOf.set(organization_id, ids.add(id));
  }
}
