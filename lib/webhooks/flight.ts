import { setTimeout as delay } from "node:timers/promises";

import { log } from "@/lib/log";
import { askForDrain } from "@/lib/webhooks/ask-for-drain";
import type { DueDelivery } from "@/lib/webhooks/due-deliveries";
import type { Target } from "@/lib/webhooks/find-target";
import { type AttemptedDelivery, recordAttempts } from "@/lib/webhooks/record-attempts";
import { send } from "@/lib/webhooks/send";
import type { WebhookKey } from "@/lib/webhooks/webhook-key";

/** Requests to one endpoint at the same time. */
const MOST_AT_ONCE = 64;
/** Requests that are under way or not yet recorded: what a worker that is killed sends once more. */
const MOST_UNRECORDED = 2 * MOST_AT_ONCE;
/** How long the first result waits for others, to be recorded with them. */
const GATHERING_MS = 5;

/** What this process is sending to one webhook. It outlives the drain that began it, when an endpoint takes its time. */
export class Flight {
  readonly #key: WebhookKey;
  readonly #startedAt = new Map<string, number>();
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
    return flight;
  }

  /** The events that are under way. */
  get eventIds(): string[] {
    return [...this.#startedAt.keys()];
  }

  /** How many more may be sent: what is being recorded takes no room, up to a bound. Below a quarter it is not worth a look for them. */
  get room(): number {
    const free = Math.min(MOST_AT_ONCE - this.#unanswered, MOST_UNRECORDED - this.#startedAt.size);
    return free < MOST_AT_ONCE / 4 ? 0 : free;
  }

  /** For how long nothing has been answered, in milliseconds. */
  get silence(): number {
    const begun = Math.max(this.#lastResult, ...this.#startedAt.values());
    return performance.now() - begun;
  }

  start({ url, secrets }: Target, { eventId, tries, body }: DueDelivery): void {
    // Two drains can have found the same.
    if (this.#startedAt.has(eventId)) return;
    this.#startedAt.set(eventId, performance.now());
    this.#unanswered += 1;
    void send({ url, secrets, id: eventId, body }).then((attempt) => this.#finish({ eventId, tries, attempt }));
  }

  /** Resolves when something has been recorded, or there is room again. */
  get change(): Promise<void> {
    return this.#change.promise;
  }

  /** Leaves what is under way to itself: whatever comes of it is recorded, and then another drain is asked for. */
  leave(): void {
    this.#isAttended = false;
    if (this.#startedAt.size === 0) Flight.#all.delete(this.#key.webhookId);
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
      // They are still due, and are sent again: better twice than not known.
      log.error({ err: error, webhook_id: this.#key.webhookId }, "could not record webhook deliveries");
    }
    for (const { eventId } of ended) this.#startedAt.delete(eventId);
    this.#tell();
  }

  #tell(): void {
    this.#change.resolve();
    this.#change = Promise.withResolvers<void>();
  }
}
