import type { PlannedRequest } from "@/tests/benchmarks/api/exchange";

/** A record that an actor created, and may change or delete. */
export interface Owned {
  resource: string;
  id: string;
}

/**
 * Sends a request of a kind ("list", "create") to a path below `/api/v1`, and returns the JSON of its answer. Throws if
 * it does not succeed.
 */
export type Send = (
  kind: string,
  method: PlannedRequest["method"],
  path: string,
  body?: object,
) => Promise<Record<string, unknown>>;

/** More would be as good, and memory of the process that makes the load. */
const MAX_OWNED = 200;

/** One user of the API on one connection, who changes only their own records: so every refusal is a fault. */
export class Actor {
  readonly owned: Owned[] = [];
  eventsCursor: string | null = null;

  constructor(
    readonly name: string,
    readonly send: Send,
  ) {}

  own(resource: string, record: unknown): void {
    const { id } = record as { id: string };
    if (this.owned.length < MAX_OWNED) this.owned.push({ resource, id });
    else this.owned[Math.floor(Math.random() * MAX_OWNED)] = { resource, id };
  }

  disown(record: Owned): void {
    const place = this.owned.indexOf(record);
    if (place !== -1) this.owned.splice(place, 1);
  }

  /** A random record that this actor created, if any. */
  any(): Owned | undefined {
    return pick(this.owned);
  }
}

export function pick<Item>(items: readonly Item[]): Item | undefined {
  return items[Math.floor(Math.random() * items.length)];
}
