import { ResponseRefused, ResponseTooLarge } from "@/lib/input/bounded-json";

const [QUOTE, COMMA, LINE_FEED, RETURN] = [0x22, 0x2c, 0x0a, 0x0d];

/** The largest record of a query is a page of its own, so this is the bound of a page. */
const MAX_ROW_CHARACTERS = 16 * 1024 * 1024;

/**
 * Reads CSV (RFC 4180) piece by piece: cells with commas, doubled quotes and line breaks, lines that end in LF or CRLF.
 * It keeps only the row that has begun. A malformed or endless row is refused.
 */
export class CsvReader {
  #rest = "";
  /** An unfinished row is read again only when its text has doubled, so that long rows take linear time. */
  #minLength = 0;
  #at = 0;

  /** `columns` is the largest number of cells of a row. */
  constructor(private readonly columns: number) {}

  /** The rows that `text` completes. */
  push(text: string): string[][] {
    this.#rest += text;
    if (this.#rest.length < this.#minLength) return [];
    return this.#read(false);
  }

  /** The last row, if no line break ends it. */
  end(): string[][] {
    return this.#rest === "" ? [] : this.#read(true);
  }

  #read(final: boolean): string[][] {
    const text = this.#rest;
    const rows: string[][] = [];
    let start = 0;
    for (;;) {
      const row = start < text.length ? this.#row(text, start, final) : null;
      if (!row) break;
      rows.push(row);
      start = this.#at;
    }
    this.#rest = text.slice(start);
    if (this.#rest.length > MAX_ROW_CHARACTERS) throw new ResponseTooLarge("It has a row that is too long.");
    if (final && this.#rest !== "") throw malformed();
    this.#minLength = 2 * this.#rest.length;
    return rows;
  }

  /** The row at `start`, or null if it is not complete. Sets `#at` behind it. */
  #row(text: string, start: number, final: boolean): string[] | null {
    const cells: string[] = [];
    for (let at = start; ; at += 1) {
      const cell = text.charCodeAt(at) === QUOTE ? this.#quoted(text, at, final) : this.#plain(text, at, final);
      if (cell === null) return null;
      if (cells.push(cell) > this.columns) throw malformed();
      at = this.#at;
      if (text.charCodeAt(at) === COMMA) continue;
      const next = endOfLine(text, at, final);
      if (next === null) return null;
      this.#at = next;
      return cells;
    }
  }

  /** The cell whose opening quote is at `at`. Sets `#at` behind its closing quote. */
  #quoted(text: string, at: number, final: boolean): string | null {
    let doubled = false;
    let end = text.indexOf('"', at + 1);
    while (end >= 0 && text.charCodeAt(end + 1) === QUOTE) {
      doubled = true;
      end = text.indexOf('"', end + 2);
    }
    // A quote at the end of the text may be the first of two.
    if (end < 0 || (end + 1 === text.length && !final)) return null;
    this.#at = end + 1;
    const cell = text.slice(at + 1, end);
    return doubled ? cell.replaceAll('""', '"') : cell;
  }

  #plain(text: string, at: number, final: boolean): string | null {
    let end = at;
    for (; end < text.length; end += 1) {
      const code = text.charCodeAt(end);
      if (code === COMMA || code === LINE_FEED || code === RETURN) break;
      if (code === QUOTE) throw malformed();
    }
    if (end === text.length && !final) return null;
    this.#at = end;
    return text.slice(at, end);
  }
}

/** The place behind the line break at `at`, or behind the text; null if the break may not be complete. */
function endOfLine(text: string, at: number, final: boolean): number | null {
  const code = text.charCodeAt(at);
  if (code === LINE_FEED || at >= text.length) return at + 1;
  if (code !== RETURN) throw malformed();
  if (at + 1 === text.length && !final) return null;
  return text.charCodeAt(at + 1) === LINE_FEED ? at + 2 : at + 1;
}

function malformed(): ResponseRefused {
  return new ResponseRefused("It is not the CSV that was requested.");
}
