import { ApiError } from "../server/api-error";
import { idAt } from "../generator/ids";
import type { RowSet } from "../soql/execute";

export interface Cursor {
  readonly id: string;
  readonly rows: RowSet;
  readonly batchSize: number;
  /** Source position by row number, for the first row of each page read so far: any page can be read again. */
  readonly positions: Map<number, number>;
}

/** The oldest cursor is deleted first. Its locator is then answered with INVALID_QUERY_LOCATOR. */
const MAX_CURSORS = 200;

export class QueryCursors {
  private readonly cursors = new Map<string, Cursor>();
  private opened = 0;

  constructor(private readonly seed: number) {}

  open(rows: RowSet, batchSize: number): Cursor {
    const id = idAt(this.seed, "0r8", this.opened++);
    return { id, rows, batchSize, positions: new Map([[0, rows.start]]) };
  }

  store(cursor: Cursor): void {
    this.cursors.delete(cursor.id);
    this.cursors.set(cursor.id, cursor);
    const [oldest] = this.cursors.keys();
    if (this.cursors.size > MAX_CURSORS && oldest !== undefined) this.cursors.delete(oldest);
  }

  /** `0r8…-2000`: the cursor, and the number of the page's first row. */
  find(locator: string): { cursor: Cursor; offset: number } {
    const match = /^(\w{18})-(\d+)$/.exec(locator);
    const cursor = this.cursors.get(match?.[1] ?? "");
    const offset = Number(match?.[2]);
    if (!cursor || !cursor.positions.has(offset))
      throw new ApiError(400, "INVALID_QUERY_LOCATOR", "invalid query locator");
    return { cursor, offset };
  }

  /** The object of a locator's rows, for fault rules. */
  objectOf(locator: string): string | null {
    return this.cursors.get(locator.slice(0, 18))?.rows.table.name ?? null;
  }

  /** Deletes every cursor, as Salesforce does after two days. */
  expire(): void {
    this.cursors.clear();
  }
}
