import type { Dispatcher } from "undici";

import { exchange, isSuccess, type PlannedRequest } from "@/tests/benchmarks/api/exchange";

/** A record that an actor created, and may change or delete. */
export interface Owned {
  resource: string;
  id: string;
}

/** Latencies by kind of request, in milliseconds. */
export type Latencies = Map<string, number[]>;

/** More would be as good, and memory of the process that makes the load. */
const MAX_OWNED = 200;

/** One user of the API on one connection, who changes only their own records: so every refusal is a fault. */
export class Actor {
  readonly name: string;
  readonly latencies: Latencies;
  readonly owned: Owned[] = [];
  eventsCursor: string | null = null;
  readonly #client: Dispatcher;
  readonly #token: string;

  constructor(name: string, client: Dispatcher, token: string, latencies: Latencies) {
    this.name = name;
    this.latencies = latencies;
    this.#client = client;
    this.#token = token;
  }

  /** Sends a request and returns the JSON of its answer. Throws if it does not succeed. */
  async send(
    kind: string,
    method: PlannedRequest["method"],
    path: string,
    body?: object,
  ): Promise<Record<string, unknown>> {
    const request = { method, path: `/api/v1${path}`, token: this.#token, ...(body && { body: JSON.stringify(body) }) };
    const answer = await exchange(this.#client, request, () => true);
    if (!isSuccess(answer.status))
      throw new Error(`${method} ${request.path} answered ${answer.status}: ${answer.body}`);
    const latencies = this.latencies.get(kind) ?? [];
    this.latencies.set(kind, latencies);
    latencies.push(answer.milliseconds);
    return JSON.parse(answer.body) as Record<string, unknown>;
  }

  own(resource: string, record: unknown): void {
    const { id } = record as { id: string };
    if (this.owned.length < MAX_OWNED) this.owned.push({ resource, id });
    else this.owned[Math.floor(Math.random() * MAX_OWNED)] = { resource, id };
  }

  /** A random record that this actor created, if any. */
  any(): Owned | undefined {
    return pick(this.owned);
  }
}

export function pick<Item>(items: readonly Item[]): Item | undefined {
  return items[Math.floor(Math.random() * items.length)];
}
