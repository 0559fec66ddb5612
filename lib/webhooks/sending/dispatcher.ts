import { setTimeout as delay } from "node:timers/promises";

import { log } from "@/lib/log";
import { Semaphore } from "@/lib/semaphore";
import { onShutdown } from "@/lib/shutdown";
import type { WebhookKey } from "@/lib/webhooks/endpoints/webhook-schema";
import { claimDue, type ClaimedDelivery, findNextDue } from "@/lib/webhooks/sending/claim-deliveries";
import { enqueueDrain, enqueueRetry } from "@/lib/webhooks/sending/enqueue-drain";
import { type AttemptedDelivery, recordAttempts } from "@/lib/webhooks/sending/record-attempts";
import { send } from "@/lib/webhooks/sending/send";
import type { Target } from "@/lib/webhooks/sending/signing";

/** Requests to one endpoint at the same time. */
const MAX_CONCURRENT_PER_WEBHOOK = 64;

/**
 * What this process has under way or not yet recorded, over all webhooks: so much memory, and so many connections, they
 * take.
 */
const MAX_CONCURRENT = 2048;

/**
 * Of what is being sent, over all webhooks: an event of a large record has half a megabyte. In memory it takes two to
 * three times as much.
 */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * A webhook takes no more than one, and this part of what is free: there is always something left for the next, however
 * many keep theirs for long.
 */
const MAX_SHARE = 1 / 8;

/** How long the first result waits for others, to be recorded with them. */
const BATCH_WINDOW_MS = 5;

/** The database's connections are everybody's. Who waits for a turn has the more to record when it comes. */
const semaphore = new Semaphore(8);

/**
 * What this process is sending to one webhook. Once begun it goes on by itself until nothing is due, and then it is
 * gone.
 */
export class Dispatcher {
  static readonly #all = new Map<string, Dispatcher>();
  static readonly #landings = new Set<Promise<void>>();
  static #inAll = 0;
  static #bytesInAll = 0;
  static #isEnding = false;

  static {
    // Where an Inngest server calls the functions, flights are in the web process.
    onShutdown((work) => Dispatcher.endAll(work));
  }

  readonly #key: WebhookKey;
  readonly #id: string;
  /** The events that are under way: sent, and not yet recorded. */
  readonly #sent = new Set<string>();
  /** Of these, how many have not been answered. */
  #unanswered = 0;
  #bytes = 0;
  #done: AttemptedDelivery[] = [];
  #isRecording = false;
  /** There may be something due that nobody has looked for. */
  #isWanted = false;
  #looking: Promise<void> | undefined;
  /** It could not look by itself, so a drain has to. */
  #isStuck = false;
  readonly #landing = Promise.withResolvers<void>();

  private constructor(key: WebhookKey, id: string) {
    this.#key = key;
    this.#id = id;
    Dispatcher.#landings.add(this.#landing.promise);
  }

  /** The webhook's flight, under way or new. Have it look at once: one that is not needed ends at any moment. */
  static of(key: WebhookKey): Dispatcher {
    const id = idOf(key);
    const flight = Dispatcher.#all.get(id) ?? new Dispatcher(key, id);
    Dispatcher.#all.set(id, flight);
    return flight;
  }

  /** Resolves when nothing is under way to a webhook any more, nor due. */
  static async end(key: WebhookKey): Promise<void> {
    const flight = Dispatcher.#all.get(idOf(key));
    if (flight) await flight.#landing.promise;
  }

  /**
   * Resolves when everything that is under way in this process has been recorded, and `jobs`, which may begin flights,
   * have ended. Nothing is begun meanwhile; what is due is left to another drain.
   */
  static async endAll(jobs: Promise<unknown>): Promise<void> {
    Dispatcher.#isEnding = true;
    await jobs.catch(() => undefined);
    while (Dispatcher.#landings.size > 0) await Promise.all(Dispatcher.#landings);
    Dispatcher.#isEnding = false;
  }

  /** The events that are under way. */
  get eventIds(): string[] {
    return [...this.#sent];
  }

  /**
   * Starts what is due, as far as there is room; what there is no room for follows when there is. Throws when it could
   * not look for all that is due.
   */
  async look(): Promise<void> {
    this.#isWanted = true;
    try {
      await this.#lookOnce();
    } finally {
      this.#land();
    }
  }

  /** Who comes while a look is under way has it look once more. */
  #lookOnce(): Promise<void> {
    return (this.#looking ??= Promise.resolve().then(() => this.#startAll()));
  }

  async #startAll(): Promise<void> {
    try {
      while (this.#isWanted && this.#room > 0 && !Dispatcher.#isEnding) {
        await semaphore.run(() => this.#startSome());
      }
      this.#isStuck = false;
    } catch (error) {
      this.#isWanted = true;
      throw error;
    } finally {
      this.#looking = undefined;
    }
  }

  async #startSome(): Promise<void> {
    const limit = this.#limit;
    // Others may have taken the room while this one waited for its turn.
    this.#isWanted = limit === 0;
    if (limit === 0) return;
    const { target, deliveries, more } = await claimDue(this.#key, {
      underWay: this.eventIds,
      limit,
      mostBytes: Math.max(0, this.#roomForBytes),
    });
    if (target) for (const delivery of deliveries) this.#start(target, delivery);
    if (more) this.#isWanted = true;
  }

  /**
   * How many more may be sent: what is being recorded takes no room, up to a bound. Below a quarter it is not worth a
   * look for them.
   */
  get #room(): number {
    const most = Math.min(
      MAX_CONCURRENT_PER_WEBHOOK,
      1 + Math.floor(Math.max(0, MAX_CONCURRENT - Dispatcher.#inAll) * MAX_SHARE),
    );
    if (this.#unanswered > 0 && this.#roomForBytes < this.#shareOfBytes / 4) return 0;
    const free = Math.min(most - this.#unanswered, 2 * most - this.#sent.size);
    return free < most / 4 ? 0 : free;
  }

  /**
   * How many are looked for: no more than there is room for, if they are as large as those that are under way. Each is
   * written to be measured.
   */
  get #limit(): number {
    if (this.#unanswered === 0) return this.#room;
    return Math.min(this.#room, 1 + Math.floor((this.#roomForBytes * this.#unanswered) / this.#bytes));
  }

  get #shareOfBytes(): number {
    const ofOthers = Dispatcher.#bytesInAll - this.#bytes;
    return Math.floor((MAX_BYTES - ofOthers) * MAX_SHARE);
  }

  /** Below zero when what was sent last was larger than there was room for. */
  get #roomForBytes(): number {
    return this.#shareOfBytes - this.#bytes;
  }

  #count(bytes: number): void {
    this.#bytes += bytes;
    Dispatcher.#bytesInAll += bytes;
  }

  #start({ url, secrets }: Target, { eventId, tries, leasedUntil, body, bytes }: ClaimedDelivery): void {
    this.#sent.add(eventId);
    this.#unanswered += 1;
    Dispatcher.#inAll += 1;
    this.#count(bytes);
    void send({ url, secrets, id: eventId, body }).then((attempt) => {
      this.#count(-bytes);
      return this.#finish({ eventId, url, tries, leasedUntil, attempt });
    });
  }

  /** What ends while something is being recorded is recorded next, together. */
  async #finish(ended: AttemptedDelivery): Promise<void> {
    this.#done.push(ended);
    this.#unanswered -= 1;
    void this.#refill();
    if (this.#isRecording) return;
    this.#isRecording = true;
    while (this.#done.length > 0) {
      await delay(BATCH_WINDOW_MS);
      const nextDue = await semaphore.run(() => this.#record());
      void this.#refill();
      // Not within the turn: a job engine that is slow must not keep the database from other webhooks.
      if (nextDue) await enqueueRetry(this.#key, nextDue);
    }
    this.#isRecording = false;
    this.#land();
  }

  /** Gives when to try again, if something is to be. */
  async #record(): Promise<Date | null> {
    const ended = this.#done.splice(0);
    let isKnown = true;
    try {
      await recordAttempts(this.#key, ended);
    } catch (error) {
      // They are sent again when their lease is over: better twice than not known.
      isKnown = false;
      log.error({ err: error, webhook_id: this.#key.webhookId }, "could not record webhook deliveries");
    }
    for (const { eventId } of ended) this.#sent.delete(eventId);
    Dispatcher.#inAll -= ended.length;
    if (isKnown && ended.every(({ attempt }) => attempt.error === null)) return null;
    // One that was resent meanwhile is due at once, and whoever had it resent has found it under way.
    this.#isWanted = true;
    try {
      return await findNextDue(this.#key, this.eventIds);
    } catch (error) {
      log.error(
        { err: error, webhook_id: this.#key.webhookId },
        "could not look for a webhook's next delivery; the sweeper will",
      );
      return null;
    }
  }

  async #refill(): Promise<void> {
    if (!this.#isWanted || this.#room === 0) return;
    try {
      await this.#lookOnce();
    } catch (error) {
      this.#isStuck = true;
      log.error({ err: error, webhook_id: this.#key.webhookId }, "could not look for due webhook deliveries");
    }
    this.#land();
  }

  /** Ends it when nothing is left. Whatever it leaves due, a drain is asked for. */
  #land(): void {
    if (this.#sent.size > 0 || this.#looking || this.#isRecording || Dispatcher.#all.get(this.#id) !== this) return;
    Dispatcher.#all.delete(this.#id);
    const leavesDue = this.#isStuck || (this.#isWanted && Dispatcher.#isEnding);
    void this.#leave(leavesDue ? [this.#key.webhookId] : []);
  }

  async #leave(due: readonly string[]): Promise<void> {
    await enqueueDrain(this.#key.organizationId, due);
    Dispatcher.#landings.delete(this.#landing.promise);
    this.#landing.resolve();
  }
}

function idOf({ organizationId, webhookId }: WebhookKey): string {
  return `${organizationId}/${webhookId}`;
}
