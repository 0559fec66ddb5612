import type { Dispatcher } from "undici";

import { exchange, isSuccess, type PlannedRequest } from "@/tests/benchmarks/api/exchange";

/** Something that an actor has created, and may change or delete. */
export interface Owned {
  resource: string;
  id: string;
}

/** How requests of one kind fared, in milliseconds. */
export type Latencies = Map<string, number[]>;

/** More would be as good, and memory of the process that makes the load. */
const MOST_OWNED = 200;

/** One user of the API on one connection, who changes nothing but what is theirs: whatever is refused is a fault. */
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

  /** Sends a request and gives its answer's JSON. Throws for every status but a success. */
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
    if (this.owned.length < MOST_OWNED) this.owned.push({ resource, id });
    else this.owned[Math.floor(Math.random() * MOST_OWNED)] = { resource, id };
  }

  /** Anything that this actor has created, if there is something. */
  any(): Owned | undefined {
    return pick(this.owned);
  }
}

export function pick<Item>(items: readonly Item[]): Item | undefined {
  return items[Math.floor(Math.random() * items.length)];
}
