import type { Json } from "../schema/field";

/** What a test did to one record since the org was generated. */
export interface Patch {
  readonly fields: Record<string, Json>;
  /** An inserted record has no generated values underneath. */
  readonly inserted: boolean;
  /** A purged record is gone from queryAll too. */
  purged: boolean;
}

/** Changes to one object's records, by ordinal. */
export class Overlay {
  readonly patches = new Map<number, Patch>();
  inserted = 0;

  /** The patch to write to; made when missing. */
  touch(ordinal: number): Patch {
    const known = this.patches.get(ordinal);
    if (known) return known;
    const made: Patch = { fields: {}, inserted: false, purged: false };
    this.patches.set(ordinal, made);
    return made;
  }

  insert(ordinal: number, fields: Record<string, Json>): void {
    this.patches.set(ordinal, { fields, inserted: true, purged: false });
    this.inserted += 1;
  }
}
