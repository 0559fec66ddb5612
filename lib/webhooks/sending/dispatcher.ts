import { setTimeout as delay } from "node:timers/promises";

import { log } from "@/lib/log";
import { inWork } from "@/lib/observability/instruments";
import { Semaphore } from "@/lib/semaphore";
import { enqueueDrain, enqueueRetry } from "@/lib/webhooks/sending/enqueue-drain";
import { type AttemptedDelivery, recordAttempts } from "@/lib/webhooks/sending/record-attempts";
import { onShutdown } from "@/lib/shutdown";
import type { WebhookKey } from "@/lib/webhooks/endpoints/webhook-schema";
import { claimDue, type ClaimedDelivery, findNextDue } from "@/lib/webhooks/sending/claim-deliveries";
import { send } from "@/lib/webhooks/sending/send";
import type { Target } from "@/lib/webhooks/sending/signing";

/** Requests in flight to one endpoint. */
const MAX_CONCURRENT_PER_WEBHOOK = 64;

/** Deliveries that are being sent or have yet to be recorded, and the bytes of the bodies that are being sent. */
interface InFlight {
  deliveries: number;
  bytes: number;
}

/**
 * Over all webhooks of this process: it bounds sockets and memory. The event of a large record has half a megabyte; in
 * memory a body takes two to three times its size.
 */
const MAX: InFlight = { deliveries: 2048, bytes: 64 * 1024 * 1024 };

/**
 * The part of what is free that one webhook may take, beside one delivery. So something is always left for the next
 * webhook, even when slow endpoints keep what they have.
 */
const MAX_SHARE_OF_WEBHOOK = 1 / 8;

/** The part of what others leave free that all webhooks of one organization may take, beside one delivery each. */
const MAX_SHARE_OF_ORGANIZATION = 1 / 2;

const ofProcess: InFlight = { deliveries: 0, bytes: 0 };
const byOrganization = new Map<string, InFlight>();

/** Counts what an organization's webhook has put in flight, or no longer has. */
export function countInFlight(organizationId: string, deliveries: number, bytes: number): void {
  const ofOrganization = byOrganization.get(organizationId) ?? { deliveries: 0, bytes: 0 };
  for (const counted of [ofProcess, ofOrganization]) {
    counted.deliveries += deliveries;
    counted.bytes += bytes;
  }
  // A body is in flight no longer than its delivery.
  if (ofOrganization.deliveries > 0) byOrganization.set(organizationId, ofOrganization);
  else byOrganization.delete(organizationId);
}

/** How much a webhook may have in flight that has `own` of it now. Below zero when nothing is left for it. */
export function shareOf(organizationId: string, what: keyof InFlight, own = 0): number {
  const ofOrganization = byOrganization.get(organizationId)?.[what] ?? 0;
  const free = MAX[what] - ofProcess[what];
  const share = (free + own) * MAX_SHARE_OF_WEBHOOK;
  const leftToOrganization = (free + ofOrganization) * MAX_SHARE_OF_ORGANIZATION - (ofOrganization - own);
  return Math.floor(Math.min(share, leftToOrganization));
}

/** How long the first result waits for others, to be recorded with them in one transaction. */
const BATCH_WINDOW_MS = 5;

/** Bounds the connections that all dispatchers take. One that waits for its turn then records more at once. */
const semaphore = new Semaphore(8);

/**
 * Sends the due deliveries of one webhook from this process: claims them, keeps many in flight, records the attempts,
 * and claims more. It stops when nothing is due, and is then removed.
 */
export class Dispatcher {
  static readonly #byWebhook = new Map<string, Dispatcher>();
  static readonly #stopping = new Set<Promise<void>>();
  static #isShuttingDown = false;

  static {
    // With an Inngest server the functions run in the web process, and so do the dispatchers.
    onShutdown((jobs) => Dispatcher.shutDown(jobs));
  }

  readonly #key: WebhookKey;
  readonly #id: string;
  /** Ids of the events that are being sent or have yet to be recorded. */
  readonly #inFlight = new Set<string>();
  /** How many of them the endpoint has not answered yet. */
  #unanswered = 0;
  #bytes = 0;
  #attempted: AttemptedDelivery[] = [];
  #isRecording = false;
  /** Whether something may be due that no poll has seen. */
  #mayHaveDue = false;
  #polling: Promise<void> | undefined;
  /** Whether the last poll failed, so that another drain has to poll. */
  #pollFailed = false;
  readonly #stopped = Promise.withResolvers<void>();

  private constructor(key: WebhookKey, id: string) {
    this.#key = key;
    this.#id = id;
    Dispatcher.#stopping.add(this.#stopped.promise);
  }

  /** The dispatcher of a webhook, running or new. Call {@link poll} at once: an idle one may stop at any moment. */
  static for(key: WebhookKey): Dispatcher {
    const id = idOf(key);
    const dispatcher = Dispatcher.#byWebhook.get(id) ?? new Dispatcher(key, id);
    Dispatcher.#byWebhook.set(id, dispatcher);
    return dispatcher;
  }

  /** Resolves when nothing of a webhook is in flight or due. */
  static async settled(key: WebhookKey): Promise<void> {
    const dispatcher = Dispatcher.#byWebhook.get(idOf(key));
    if (dispatcher) await dispatcher.#stopped.promise;
  }

  /**
   * Resolves when `jobs`, which may start dispatchers, have ended and all deliveries in flight are recorded. No
   * delivery starts meanwhile; whatever is still due is left to another drain.
   */
  static async shutDown(jobs: Promise<unknown>): Promise<void> {
    Dispatcher.#isShuttingDown = true;
    await jobs.catch(() => undefined);
    while (Dispatcher.#stopping.size > 0) await Promise.all(Dispatcher.#stopping);
    Dispatcher.#isShuttingDown = false;
  }

  /** Ids of the events in flight. */
  get eventIds(): string[] {
    return [...this.#inFlight];
  }

  /**
   * Starts the due deliveries for which there are free slots; the others start when slots become free. Throws when it
   * could not claim them.
   */
  async poll(): Promise<void> {
    this.#mayHaveDue = true;
    try {
      await this.#pollOnce();
    } finally {
      this.#stopIfIdle();
    }
  }

  /** A call during a poll makes that poll claim once more. */
  #pollOnce(): Promise<void> {
    return (this.#polling ??= Promise.resolve().then(() => this.#dispatchAll()));
  }

  async #dispatchAll(): Promise<void> {
    try {
      while (this.#mayHaveDue && this.#freeSlots > 0 && !Dispatcher.#isShuttingDown) {
        await semaphore.run(() => this.#dispatchBatch());
      }
      this.#pollFailed = false;
    } catch (error) {
      this.#mayHaveDue = true;
      throw error;
    } finally {
      this.#polling = undefined;
    }
  }

  async #dispatchBatch(): Promise<void> {
    const limit = this.#batchLimit;
    // Other dispatchers may have taken the slots while this one waited for its turn.
    this.#mayHaveDue = limit === 0;
    if (limit === 0) return;
    const { target, deliveries, more } = await claimDue(this.#key, {
      inFlight: this.eventIds,
      limit,
      maxBytes: Math.max(0, this.#freeBytes),
    });
    if (target) for (const delivery of deliveries) this.#start(target, delivery);
    if (more) this.#mayHaveDue = true;
  }

  /**
   * How many more deliveries may start. Those that wait to be recorded take no slot, up to a bound. Fewer than a
   * quarter of all slots count as none: a claim for so few is not worth its query.
   */
  get #freeSlots(): number {
    const share = shareOf(this.#key.organizationId, "deliveries");
    const max = Math.min(MAX_CONCURRENT_PER_WEBHOOK, 1 + Math.max(0, share));
    if (this.#unanswered > 0 && this.#freeBytes < this.#byteShare / 4) return 0;
    const free = Math.min(max - this.#unanswered, 2 * max - this.#inFlight.size);
    return free < max / 4 ? 0 : free;
  }

  /**
   * How many deliveries to claim: no more than fit into the free bytes, if they are as large as those in flight.
   * PostgreSQL writes the body of each one that it claims, in order to measure it.
   */
  get #batchLimit(): number {
    if (this.#unanswered === 0) return this.#freeSlots;
    return Math.min(this.#freeSlots, 1 + Math.floor((this.#freeBytes * this.#unanswered) / this.#bytes));
  }

  get #byteShare(): number {
    return shareOf(this.#key.organizationId, "bytes", this.#bytes);
  }

  /** Below zero when the last delivery was larger than what was free. */
  get #freeBytes(): number {
    return this.#byteShare - this.#bytes;
  }

  #count(deliveries: number, bytes: number): void {
    this.#bytes += bytes;
    countInFlight(this.#key.organizationId, deliveries, bytes);
  }

  #start({ url, secrets }: Target, { eventId, tries, leasedUntil, body, bytes }: ClaimedDelivery): void {
    this.#inFlight.add(eventId);
    this.#unanswered += 1;
    this.#count(1, bytes);
    void send({ url, secrets, id: eventId, body }).then((attempt) => {
      this.#count(0, -bytes);
      // The dispatcher outlives the drain, so what follows is no part of that job.
      return inWork({}, () => this.#finish({ eventId, url, tries, leasedUntil, attempt }));
    });
  }

  /** Attempts that end while others are being recorded are recorded next, together. */
  async #finish(ended: AttemptedDelivery): Promise<void> {
    this.#attempted.push(ended);
    this.#unanswered -= 1;
    void this.#refill();
    if (this.#isRecording) return;
    this.#isRecording = true;
    while (this.#attempted.length > 0) {
      await delay(BATCH_WINDOW_MS);
      const nextDue = await semaphore.run(() => this.#record());
      void this.#refill();
      // Outside the semaphore: a slow job engine must not keep other webhooks from the database.
      if (nextDue) await enqueueRetry(this.#key, nextDue);
    }
    this.#isRecording = false;
    this.#stopIfIdle();
  }

  /** Records the attempts that have ended. Returns when the next retry is due, if one is needed. */
  async #record(): Promise<Date | null> {
    const ended = this.#attempted.splice(0);
    let areDelivered = false;
    try {
      const isSomeDue = await recordAttempts(this.#key, ended);
      areDelivered = !isSomeDue && ended.every(({ attempt }) => attempt.error === null);
    } catch (error) {
      // Their lease expires and they are sent again: better twice than lost.
      log.error({ err: error, webhook_id: this.#key.webhookId }, "could not record webhook deliveries");
    }
    for (const { eventId } of ended) this.#inFlight.delete(eventId);
    this.#count(-ended.length, 0);
    if (areDelivered) return null;
    // An event that somebody resent meanwhile is due now: the drain for it found it in flight and skipped it.
    this.#mayHaveDue = true;
    try {
      return await findNextDue(this.#key, this.eventIds);
    } catch (error) {
      log.error(
        { err: error, webhook_id: this.#key.webhookId },
        "could not find a webhook's next retry; the sweeper will",
      );
      return null;
    }
  }

  async #refill(): Promise<void> {
    if (!this.#mayHaveDue || this.#freeSlots === 0) return;
    try {
      await this.#pollOnce();
    } catch (error) {
      this.#pollFailed = true;
      log.error({ err: error, webhook_id: this.#key.webhookId }, "could not claim due webhook deliveries");
    }
    this.#stopIfIdle();
  }

  /** Stops when nothing is in flight. Enqueues a drain if something may still be due. */
  #stopIfIdle(): void {
    if (this.#inFlight.size > 0 || this.#polling || this.#isRecording || Dispatcher.#byWebhook.get(this.#id) !== this)
      return;
    Dispatcher.#byWebhook.delete(this.#id);
    const leavesDue = this.#pollFailed || (this.#mayHaveDue && Dispatcher.#isShuttingDown);
    void this.#stop(leavesDue ? [this.#key.webhookId] : []);
  }

  async #stop(due: readonly string[]): Promise<void> {
    await enqueueDrain(this.#key.organizationId, due);
    Dispatcher.#stopping.delete(this.#stopped.promise);
    this.#stopped.resolve();
  }
}

function idOf({ organizationId, webhookId }: WebhookKey): string {
  return `${organizationId}/${webhookId}`;
}
