import type { Json } from "../schema/field";

/** Changes to one record since the org was generated. */
export interface Patch {
  readonly fields: Record<string, Json>;
  /** An inserted record has no generated values. */
  readonly inserted: boolean;
  /** Not even queryAll returns a purged record. */
  purged: boolean;
}

/** Changes to one object's records, by ordinal. */
export class Overlay {
  readonly patches = new Map<number, Patch>();
  inserted = 0;

  /** The patch of a record, created if missing. */
  patchOf(ordinal: number): Patch {
    const existing = this.patches.get(ordinal);
    if (existing) return existing;
    const created: Patch = { fields: {}, inserted: false, purged: false };
    this.patches.set(ordinal, created);
    return created;
  }

  insert(ordinal: number, fields: Record<string, Json>): void {
    this.patches.set(ordinal, { fields, inserted: true, purged: false });
    this.inserted += 1;
  }
}
