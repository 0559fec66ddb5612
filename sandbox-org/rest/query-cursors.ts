import { ApiError } from "../server/api-error";
import { idAt } from "../generator/ids";
import type { RowSet } from "../soql/execute";

export interface Cursor {
  readonly id: string;
  readonly rows: RowSet;
  readonly batchSize: number;
  /**
   * Where in the source the row of that number is found; grows as pages are read, so that any page can be read again.
   */
  readonly positions: Map<number, number>;
}

/** The oldest cursors go first; a locator that is gone answers INVALID_QUERY_LOCATOR. */
const KEPT = 200;

export class QueryCursors {
  private readonly cursors = new Map<string, Cursor>();
  private made = 0;

  constructor(private readonly seed: number) {}

  open(rows: RowSet, batchSize: number): Cursor {
    const id = idAt(this.seed, "0r8", this.made++);
    return { id, rows, batchSize, positions: new Map([[0, rows.start]]) };
  }

  keep(cursor: Cursor): void {
    this.cursors.delete(cursor.id);
    this.cursors.set(cursor.id, cursor);
    const [oldest] = this.cursors.keys();
    if (this.cursors.size > KEPT && oldest !== undefined) this.cursors.delete(oldest);
  }

  /** `0r8…-2000`: the cursor, and the number of the row that the page begins with. */
  find(locator: string): { cursor: Cursor; offset: number } {
    const match = /^(\w{18})-(\d+)$/.exec(locator);
    const cursor = this.cursors.get(match?.[1] ?? "");
    const offset = Number(match?.[2]);
    if (!cursor || !cursor.positions.has(offset))
      throw new ApiError(400, "INVALID_QUERY_LOCATOR", "invalid query locator");
    return { cursor, offset };
  }

  /** The object that a locator's rows are of, for fault rules. */
  objectOf(locator: string): string | null {
    return this.cursors.get(locator.slice(0, 18))?.rows.table.name ?? null;
  }

  /** Forgets every cursor, as two days would. */
  expire(): void {
    this.cursors.clear();
  }
}
