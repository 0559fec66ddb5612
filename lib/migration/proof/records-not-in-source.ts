import { pool } from "@/lib/database/db";
import { MIN_UUID } from "@/lib/ids";
import { KEY_PREFIXES } from "@/lib/migration/objects/key-prefixes";
import type { Plan } from "@/lib/migration/pipeline/map/plan";
import type { MigrationKey } from "@/lib/migration/migration-schema";

const ID_LENGTH = 18;

/** Source ids in ascending byte order. A million takes 18 MB, a third of what it takes as a Set of strings. */
export class SourceIds {
  readonly #firsts: string[] = [];
  readonly #pages: Buffer[] = [];

  /** Adds a page of ids, which follow those that were added before. */
  add(ids: readonly string[]): void {
    const [first] = ids;
    if (first === undefined) return;
    this.#firsts.push(first);
    this.#pages.push(Buffer.from(ids.map((id) => id.padEnd(ID_LENGTH)).join(""), "latin1"));
  }

  has(id: string): boolean {
    const page = this.#pages[lastUpTo(this.#firsts.length, (index) => (this.#firsts[index] ?? "") <= id)];
    if (!page) return false;
    const at = (index: number) => page.toString("latin1", index * ID_LENGTH, (index + 1) * ID_LENGTH);
    return at(lastUpTo(page.length / ID_LENGTH, (index) => at(index) <= id)) === id;
  }
}

/** The last index for which a condition holds that holds for all before it; -1: for none. */
function lastUpTo(length: number, holds: (index: number) => boolean): number {
  let [from, to] = [0, length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (holds(middle)) from = middle + 1;
    else to = middle;
  }
  return from - 1;
}

/** Bounds the parameter of the statements that leave them out. */
export const MAX_NOT_IN_SOURCE = 200_000;

const PAGE_RECORDS = 10_000;

/**
 * The source ids of records here that are those of this object by their prefix, and that the source does not have: they
 * come from another org, were created here, or were deleted in the source since. At most one more than
 * {@link MAX_NOT_IN_SOURCE}.
 */
export async function findNotInSource(
  { organizationId }: MigrationKey,
  { object, main }: Plan,
  source: SourceIds,
): Promise<string[]> {
  const found: string[] = [];
  for (let after = MIN_UUID; ;) {
    const { rows } = await pool().query<{ id: string; ext_id: string }>(
      `SELECT id, ext_id FROM ${main.shape.resource}
       WHERE organization_id = $1 AND id > $2 AND starts_with(ext_id, $3) ORDER BY id LIMIT ${PAGE_RECORDS}`,
      [organizationId, after, KEY_PREFIXES[object.name]],
    );
    for (const { ext_id: extId } of rows) if (!source.has(extId)) found.push(extId);
    const last = rows.at(-1);
    if (!last || rows.length < PAGE_RECORDS || found.length > MAX_NOT_IN_SOURCE)
      return found.slice(0, MAX_NOT_IN_SOURCE + 1);
    after = last.id;
  }
}

/** SQL: whether a row is not one of those that the source does not have; `ids`: the parameter with their source ids. */
export function isInSource(row: string, ids: string): string {
  return `${row}.ext_id <> ALL (${ids}::text[])`;
}
