import { isDeepStrictEqual } from "node:util";

import { ENTITIES, isResource } from "@/lib/records/schema/registry";

/** A record as the API shows it. */
export type ShownRecord = Record<string, unknown> & { id: string; version: number };

/** A record whose writes the API has acknowledged. */
export interface Entry {
  resource: string;
  /** As the last acknowledged answer shows it. */
  record: ShownRecord;
  isDeleted: boolean;
}

/** An acknowledged write, in the words of the event that it must have emitted. */
export interface Write {
  type: string;
  id: string;
  version: number;
}

/**
 * What the service has acknowledged to the clients of one organization, kept outside of it. Each record is written by
 * one client alone, one request after the other, so each answer says whether all before it took effect exactly once.
 */
export class Ledger {
  readonly entries = new Map<string, Entry>();
  readonly writes: Write[] = [];
  readonly #onWrite: () => void;

  constructor(onWrite: () => void = () => undefined) {
    this.#onWrite = onWrite;
  }

  versionOf(id: string): number {
    const entry = this.entries.get(id);
    if (!entry) throw new Error(`The ledger has no record ${id}.`);
    return entry.record.version;
  }

  /** Enters the answer to a write. Throws if a write before it was lost, or one was carried out twice. */
  enter(resource: string, record: ShownRecord): void {
    const known = this.entries.get(record.id);
    const before = known?.record.version ?? 0;
    const changes = record.version - before;
    if (changes !== 1 && !(changes === 0 && known && !known.isDeleted))
      throw new Error(`${resource} ${record.id} has version ${record.version} after a write of version ${before}.`);
    this.entries.set(record.id, { resource, record, isDeleted: false });
    // A repeated upsert, or one with the values that are there.
    if (changes === 0) return;
    this.#write(resource, known && !known.isDeleted ? "updated" : "created", record);
  }

  /** Enters that a record was deleted. Its event has the version that it had last. */
  enterDeletion(id: string): void {
    const entry = this.entries.get(id);
    if (!entry || entry.isDeleted) throw new Error(`The ledger has no record ${id} that could be deleted.`);
    entry.isDeleted = true;
    this.#write(entry.resource, "deleted", entry.record);
  }

  /** Throws if a record is shown otherwise than it was acknowledged. */
  check(shown: ShownRecord): void {
    const known = this.entries.get(shown.id)?.record;
    if (known && !isDeepStrictEqual(known, shown))
      throw new Error(`${shown.id} was acknowledged as ${JSON.stringify(known)}, and shows ${JSON.stringify(shown)}.`);
  }

  #write(resource: string, action: string, { id, version }: ShownRecord): void {
    const singular = isResource(resource) ? ENTITIES[resource].singular : resource;
    this.writes.push({ type: `${singular}.${action}`, id, version });
    this.#onWrite();
  }
}
