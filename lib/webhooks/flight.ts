import { setTimeout as delay } from "node:timers/promises";

import { pool } from "@/lib/db";
import { log } from "@/lib/log";
import { askForDrain } from "@/lib/webhooks/ask-for-drain";
import type { DueDelivery } from "@/lib/webhooks/due-deliveries";
import type { Target } from "@/lib/webhooks/find-target";
import { type AttemptedDelivery, recordAttempts } from "@/lib/webhooks/record-attempts";
import { send, TIMEOUT_MS } from "@/lib/webhooks/send";
import type { WebhookKey } from "@/lib/webhooks/webhook-key";

/** Requests to one endpoint at the same time. */
const MOST_AT_ONCE = 64;
/** Requests that are under way or not yet recorded: what a worker that is killed sends once more. */
const MOST_UNRECORDED = 2 * MOST_AT_ONCE;
/** How long others keep their hands off what a drain leaves to itself. */
const LEASE_MS = TIMEOUT_MS + 5000;
/** How long the first result waits for others, to be recorded with them. */
const GATHERING_MS = 5;
/** What could not be recorded is held for so long: more than a drain's patience, which then leases it instead of sending it again at once. */
const UNRECORDED_MS = 1000;

/** $3: events, $4: when each was due, $5: until when it is leased. */
const LEASE = `
  UPDATE webhook_deliveries SET next_attempt_at = ($5::timestamptz[])[array_position($3::uuid[], event_id)]
  WHERE organization_id = $1 AND webhook_id = $2 AND event_id = ANY ($3::uuid[])
    AND next_attempt_at = ($4::timestamptz[])[array_position($3::uuid[], event_id)]`;

/** What is under way. */
interface Sent {
  due: Date;
  /** What `due` becomes with a lease. Known from the start: an attempt can end while its delivery is being leased. */
  leasedUntil: Date;
}

/** What this process is sending to one webhook. It outlives the drain that began it, when an endpoint takes its time. */
export class Flight {
  readonly #key: WebhookKey;
  readonly #sent = new Map<string, Sent>();
  /** Of these, how many have not been answered; the others wait to be recorded. */
  #unanswered = 0;
  #done: AttemptedDelivery[] = [];
  #isRecording = false;
  #lastResult = performance.now();
  #change = Promise.withResolvers<void>();
  #isAttended = true;

  private constructor(key: WebhookKey) {
    this.#key = key;
  }

  static readonly #all = new Map<string, Flight>();

  /** The webhook's flight, with what an earlier drain has left in it. */
  static of(key: WebhookKey): Flight {
    const flight = Flight.#all.get(key.webhookId) ?? new Flight(key);
    Flight.#all.set(key.webhookId, flight);
    flight.#isAttended = true;
    flight.#lastResult = performance.now();
    return flight;
  }

  /** The events that are under way. */
  get eventIds(): string[] {
    return [...this.#sent.keys()];
  }

  /** Keeps other processes from what is under way, as long as it can take; what was queued anew meanwhile it leaves due. */
  async lease(): Promise<void> {
    if (this.#sent.size === 0) return;
    const sent = [...this.#sent.values()];
    const moments = [sent.map(({ due }) => due), sent.map(({ leasedUntil }) => leasedUntil)];
    await pool().query(LEASE, [this.#key.organizationId, this.#key.webhookId, this.eventIds, ...moments]);
  }

  /** How many more may be sent: what is being recorded takes no room, up to a bound. Below a quarter it is not worth a look for them. */
  get room(): number {
    const free = Math.min(MOST_AT_ONCE - this.#unanswered, MOST_UNRECORDED - this.#sent.size);
    return free < MOST_AT_ONCE / 4 ? 0 : free;
  }

  /** For how long nothing has been answered, in milliseconds, since a drain has turned to it. What is begun meanwhile is no answer. */
  get silence(): number {
    return performance.now() - this.#lastResult;
  }

  start({ url, secrets }: Target, { eventId, tries, due, body }: DueDelivery): void {
    // Two drains can have found the same.
    if (this.#sent.has(eventId)) return;
    const leasedUntil = new Date(Date.now() + LEASE_MS);
    this.#sent.set(eventId, { due, leasedUntil });
    this.#unanswered += 1;
    const held = [due, leasedUntil];
    void send({ url, secrets, id: eventId, body }).then((attempt) => this.#finish({ eventId, url, tries, held, attempt }));
  }

  /** Resolves when something has been recorded, or there is room again. */
  get change(): Promise<void> {
    return this.#change.promise;
  }

  /** Leaves what is under way to itself: whatever comes of it is recorded, and then another drain is asked for. */
  leave(): void {
    this.#isAttended = false;
    if (this.#sent.size === 0) Flight.#all.delete(this.#key.webhookId);
  }

  /** What ends while something is being recorded is recorded next, together. */
  async #finish(ended: AttemptedDelivery): Promise<void> {
    this.#done.push(ended);
    this.#unanswered -= 1;
    this.#lastResult = performance.now();
    if (this.room > 0) this.#tell();
    if (this.#isRecording) return;
    this.#isRecording = true;
    while (this.#done.length > 0) {
      await delay(GATHERING_MS);
      await this.#record(this.#done.splice(0));
    }
    this.#isRecording = false;
    if (this.#isAttended) return;
    this.leave();
    await askForDrain(this.#key.organizationId, [this.#key.webhookId]);
  }

  async #record(ended: readonly AttemptedDelivery[]): Promise<void> {
    try {
      await recordAttempts(this.#key, ended);
    } catch (error) {
      // They are sent again when their lease is over: better twice than not known.
      log.error({ err: error, webhook_id: this.#key.webhookId }, "could not record webhook deliveries");
      await delay(UNRECORDED_MS);
    }
    for (const { eventId } of ended) this.#sent.delete(eventId);
    this.#tell();
  }

  #tell(): void {
    this.#change.resolve();
    this.#change = Promise.withResolvers<void>();
  }
}
