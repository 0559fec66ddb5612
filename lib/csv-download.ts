import { stringify } from "csv-stringify/sync";

import type { Download } from "@/lib/operation";
import { streamedDownload } from "@/lib/streamed-download";

/** The media type of {@link csvDownload}, for the declaration of its operation. */
export const CSV = "text/csv";

type Cell = string | number | boolean | null | undefined;

/** A CSV file (RFC 4180) of any length: see `streamedDownload`. `fileName` has only characters of the service. */
export function csvDownload(
  fileName: string,
  columns: readonly string[],
  pages: AsyncIterable<readonly (readonly Cell[])[]>,
): Download {
  return streamedDownload({ fileName, contentType: `${CSV}; charset=utf-8` }, piecesOf(columns, pages));
}

async function* piecesOf(
  columns: readonly string[],
  pages: AsyncIterable<readonly (readonly Cell[])[]>,
): AsyncGenerator<Uint8Array> {
  yield Buffer.from(csvOf([columns], true));
  for await (const rows of pages) {
    if (rows.length > 0) yield Buffer.from(csvOf(rows));
  }
}

/** A JSON value as a cell: what is not plain stays JSON. */
export function cellOf(value: unknown): Cell {
  return typeof value === "object" && value !== null ? JSON.stringify(value) : (value as Cell);
}

/** A formula behind blanks, which some spreadsheets skip. `escape_formulas` sees only the first character. */
const INDENTED_FORMULA = /^\s+[=+\-@＝＋－＠]/;

/**
 * Texts could be formulas (OWASP, "CSV Injection"), so they are escaped; a negative number is none. Every value is
 * quoted, because a spreadsheet ends an unquoted one at any line feed, and a formula could follow. With the byte order
 * mark, which the first rows of a file need, Excel reads UTF-8.
 */
export function csvOf(rows: readonly (readonly Cell[])[], isFirst = false): string {
  return stringify(
    rows.map((row) => [...row]),
    {
      record_delimiter: "windows",
      quoted: true,
      escape_formulas: true,
      cast: { string: (text) => (INDENTED_FORMULA.test(text) ? `'${text}` : text), boolean: String },
      bom: isFirst,
    },
  );
}
