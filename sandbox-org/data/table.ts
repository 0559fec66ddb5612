import { firstOrdinalAfter, idAt, ordinalOf } from "../generator/ids";
import type { Org } from "../generator/population";
import type { Field, Json } from "../schema/field";
import type { SObject } from "../schema/sobject";
import { Overlay } from "./overlay";

export type Reader = (ordinal: number) => Json;

/** The records of one object: generated values, and the changes made since. */
export class Table {
  private readonly byName: ReadonlyMap<string, Field>;
  private readonly byRelationship: ReadonlyMap<string, Field>;

  constructor(
    readonly org: Org,
    readonly object: SObject,
    hiddenFields: ReadonlySet<string>,
    readonly overlay: Overlay = new Overlay(),
  ) {
    const visible = object.fields.filter(({ name }) => !hiddenFields.has(name.toLowerCase()));
    this.byName = new Map(visible.map((field) => [field.name.toLowerCase(), field]));
    this.byRelationship = new Map(
      visible.flatMap((field) =>
        field.relationshipName === null ? [] : [[field.relationshipName.toLowerCase(), field]],
      ),
    );
  }

  get name(): string {
    return this.object.name;
  }

  get fields(): Field[] {
    return [...this.byName.values()];
  }

  /** Number of ordinals, deleted and inserted records included. */
  get size(): number {
    return this.object.total(this.org) + this.overlay.inserted;
  }

  field(name: string): Field | undefined {
    return this.byName.get(name.toLowerCase());
  }

  /** The reference field of a relationship such as `Owner` or `Account__r`. */
  relationship(name: string): Field | undefined {
    return this.byRelationship.get(name.toLowerCase());
  }

  read(field: Field, ordinal: number): Json {
    if (this.overlay.patches.size > 0) {
      const patch = this.overlay.patches.get(ordinal);
      if (patch && (patch.inserted || field.name in patch.fields))
        return patch.fields[field.name] ?? (field.type === "boolean" ? false : null);
    }
    return field.value(this.org, ordinal);
  }

  reader(field: Field): Reader {
    const { org, overlay } = this;
    const { value } = field;
    return (ordinal) => (overlay.patches.size === 0 ? value(org, ordinal) : this.read(field, ordinal));
  }

  idAt(ordinal: number): string | null {
    const { keyPrefix } = this.object;
    return keyPrefix === null ? null : idAt(this.org.seed, keyPrefix, ordinal);
  }

  /** The ordinal of an existing record, deleted ones included, or -1. */
  find(id: string): number {
    const { keyPrefix } = this.object;
    const ordinal = keyPrefix === null ? -1 : ordinalOf(this.org.seed, keyPrefix, id);
    return ordinal < this.size && !this.isPurged(ordinal) ? ordinal : -1;
  }

  /** The first ordinal whose id is greater than `id` (or equal, with `inclusive`). The size if there is none. */
  after(id: string, inclusive: boolean): number {
    return Math.min(this.size, firstOrdinalAfter(this.org.seed, this.object.keyPrefix ?? "", id, inclusive));
  }

  /** True if query returns the record; with `all`, if queryAll does. */
  isVisible(ordinal: number, all: boolean): boolean {
    if (this.overlay.patches.size > 0) {
      const patch = this.overlay.patches.get(ordinal);
      if (patch) return !patch.purged && (all || !this.isHidden(patch.fields, patch.inserted, ordinal));
    }
    return all || (!this.object.isDeleted(this.org, ordinal) && !this.object.isArchived(this.org, ordinal));
  }

  isDeleted(ordinal: number): boolean {
    const patch = this.overlay.patches.get(ordinal);
    if (patch && (patch.inserted || "IsDeleted" in patch.fields)) return patch.fields["IsDeleted"] === true;
    return this.object.isDeleted(this.org, ordinal);
  }

  private isHidden(fields: Record<string, Json>, inserted: boolean, ordinal: number): boolean {
    const archived = fields["IsArchived"] ?? (!inserted && this.object.isArchived(this.org, ordinal));
    return archived === true || this.isDeleted(ordinal);
  }

  private isPurged(ordinal: number): boolean {
    return this.overlay.patches.get(ordinal)?.purged === true;
  }
}
