import { setTimeout as delay } from "node:timers/promises";

import { RESOURCES } from "@/lib/records/schema/resources";
import { generateSecret } from "@/lib/webhooks/endpoints/webhook-secret";
import { handleTasks } from "@/tests/benchmarks/api/load-process";
import { act } from "@/tests/benchmarks/soak/actions";
import { Actor } from "@/tests/benchmarks/soak/actor";
import { CarefulClient, type Tally } from "@/tests/benchmarks/soak-kills/careful-client";
import { differences, type FeedEvent } from "@/tests/benchmarks/soak-kills/compare-ledger";
import { Ledger, type ShownRecord } from "@/tests/benchmarks/soak-kills/ledger";
import { migrateInTurn, type Source } from "@/tests/benchmarks/soak-kills/migrations";
import { Receipts } from "@/tests/benchmarks/soak-kills/receipts";
import { recordedSend } from "@/tests/benchmarks/soak-kills/recorded-send";

/** Work over a number of connections, and migrations of an org, for the organizations of the tokens. */
export interface KillsTask {
  origins: readonly string[];
  connections: number;
  seconds: number;
  tenants: readonly { organizationId: string; token: string }[];
  source: Source;
}

export interface KillsReport extends Tally {
  /** How long there was work, until the last request was answered. */
  seconds: number;
  acknowledged: number;
  /** The longest time without an acknowledged write, while new work was begun. */
  longestPauseMs: number;
  deliveries: number;
  repeatedDeliveries: number;
  migrations: number;
  /** From the request for the analysis until all was taken back. */
  longestMigrationMs: number;
  /** Seconds from the end of the work until every event was delivered. */
  settledAfter: number;
  /** Sentences about what went wrong. */
  faults: string[];
}

/** After a fault, so that a service that is down does not get a million requests. */
const PAUSE_MS = 100;
const POLL_EVERY_MS = 1000;
/** Far longer than anything may take after the last kill: a lease of two minutes, one more try after five. */
const END_LIMIT_MS = 20 * 60_000;
/** Of each kind; one defect may show at every record. */
const MAX_FAULTS = 20;

interface Organization {
  id: string;
  ledger: Ledger;
  client: CarefulClient;
}

class Work {
  readonly tally: Tally = { requests: 0, unanswered: 0, refused: 0 };
  readonly clients: CarefulClient[] = [];
  readonly faults: string[] = [];
  acknowledged = 0;
  longestPauseMs = 0;
  migrations = 0;
  longestMigrationMs = 0;
  #lastWrite = performance.now();
  readonly #end: number;

  constructor(readonly task: KillsTask) {
    this.#end = performance.now() + task.seconds * 1000;
  }

  readonly isOver = (): boolean => performance.now() >= this.#end;

  clientOf(token: string): CarefulClient {
    const client = new CarefulClient(this.task.origins, token, this.tally);
    this.clients.push(client);
    return client;
  }

  readonly onWrite = (): void => {
    const now = performance.now();
    this.acknowledged += 1;
    if (!this.isOver()) this.longestPauseMs = Math.max(this.longestPauseMs, now - this.#lastWrite);
    this.#lastWrite = now;
  };

  readonly onFault = (error: unknown): void => {
    if (this.faults.length < MAX_FAULTS) this.faults.push(error instanceof Error ? error.message : String(error));
  };

  async act(number: number, { ledger }: Organization, token: string): Promise<void> {
    const actor = new Actor(`actor-${number}`, recordedSend(this.clientOf(token), ledger));
    while (!this.isOver()) {
      await act(actor).catch(async (error: unknown) => {
        this.onFault(error);
        await delay(PAUSE_MS);
      });
    }
  }

  async migrate(organizations: readonly Organization[]): Promise<void> {
    const clients = organizations.map(({ client }) => client);
    await migrateInTurn(clients, this.task.source, this.isOver, (milliseconds) => {
      this.migrations += 1;
      this.longestMigrationMs = Math.max(this.longestMigrationMs, milliseconds);
    }).catch(this.onFault);
  }
}

async function workAndCompare(task: KillsTask): Promise<KillsReport> {
  const started = performance.now();
  const work = new Work(task);
  const secret = generateSecret();
  const receipts = new Receipts(secret);
  await using receiver = await receipts.receive();
  const organizations = task.tenants.map(({ organizationId: id, token }): Organization => ({
    id,
    ledger: new Ledger(work.onWrite),
    client: work.clientOf(token),
  }));
  const webhook = { url: receiver.url, events: ["*"], secret };
  for (const { client } of organizations) await client.post("/webhooks", webhook);
  const actors = Array.from({ length: task.connections }, (_, number) => {
    const index = number % organizations.length;
    return work.act(number, organizations[index] as Organization, task.tenants[index]?.token ?? "");
  });
  await atMost(task.seconds * 1000 + END_LIMIT_MS, work, Promise.all([...actors, work.migrate(organizations)]));
  const ended = performance.now();
  await atMost(END_LIMIT_MS, work, Promise.all(organizations.map(({ client }) => untilDelivered(client))));
  const settledAfter = (performance.now() - ended) / 1000;
  const lost = await Promise.all(organizations.map((each) => compare(each, receipts)));
  await Promise.all(work.clients.map((client) => client[Symbol.asyncDispose]()));
  return {
    ...work.tally,
    seconds: (ended - started) / 1000,
    acknowledged: work.acknowledged,
    longestPauseMs: work.longestPauseMs,
    deliveries: receipts.deliveries,
    repeatedDeliveries: receipts.repeated,
    migrations: work.migrations,
    longestMigrationMs: work.longestMigrationMs,
    settledAfter,
    faults: [...work.faults, ...lost.flat(), ...receipts.faults].slice(0, 3 * MAX_FAULTS),
  };
}

/** Throws, and says what everybody is doing, if it takes longer. */
async function atMost(milliseconds: number, { clients }: Work, work: Promise<unknown>): Promise<void> {
  const isLate = await Promise.race([work.then(() => false), delay(milliseconds, true, { ref: false })]);
  if (!isLate) return;
  const tasks = [...new Set(clients.map(({ current }) => current))].join("; ");
  throw new Error(`After ${milliseconds / 60_000} minutes something is still under way, among: ${tasks}`);
}

/** Waits until nothing is left to be delivered. */
async function untilDelivered(client: CarefulClient): Promise<void> {
  for (;;) {
    const webhooks = await client.list<{ pending_deliveries: number }>("/webhooks");
    if (webhooks.every(({ pending_deliveries: pending }) => pending === 0)) return;
    await delay(POLL_EVERY_MS);
  }
}

interface Event {
  id: string;
  type: string;
  data: { object: { id: string; version: number } };
}

async function compare({ id, ledger, client }: Organization, receipts: Receipts): Promise<string[]> {
  const records: ShownRecord[] = [];
  for (const resource of RESOURCES) records.push(...(await client.list<ShownRecord>(`/${resource}`)));
  const events = (await client.list<Event>("/events")).map(({ id: eventId, type, data: { object } }): FeedEvent => {
    return { eventId, type, id: object.id, version: object.version };
  });
  return differences(ledger, { records, events, received: receipts.idsOf.get(id) ?? new Set() }).slice(0, MAX_FAULTS);
}

handleTasks(workAndCompare);
