import { stringify } from "csv-stringify/sync";

import { Download } from "@/lib/operation";

/** The media type of {@link csvDownload}, for the declaration of its operation. */
export const CSV = "text/csv";

type Cell = string | number | boolean | null | undefined;

/**
 * A CSV file (RFC 4180) of any length, of which one page is in memory: the next one is read when the client has taken
 * the last. `fileName` has only characters of the service.
 */
export function csvDownload(
  fileName: string,
  columns: readonly string[],
  pages: AsyncIterable<readonly (readonly Cell[])[]>,
): Download {
  return new Download(streamOf(piecesOf(columns, pages)), {
    "content-type": `${CSV}; charset=utf-8`,
    "content-disposition": `attachment; filename="${fileName}"`,
    "x-content-type-options": "nosniff",
  });
}

/** Asks for the next piece only when the client has read the last one. */
function streamOf(pieces: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: async () => void (await pieces.return(undefined)),
  });
}

async function* piecesOf(
  columns: readonly string[],
  pages: AsyncIterable<readonly (readonly Cell[])[]>,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  yield encoder.encode(csvOf([columns], true));
  for await (const rows of pages) {
    if (rows.length > 0) yield encoder.encode(csvOf(rows));
  }
}

/** A formula behind blanks, which some spreadsheets skip. `escape_formulas` sees only the first character. */
const INDENTED_FORMULA = /^\s+[=+\-@＝＋－＠]/;

/**
 * Texts could be formulas (OWASP, "CSV Injection"), so they are escaped; a negative number is none. Every value is
 * quoted, because a spreadsheet ends an unquoted one at any line feed, and a formula could follow. With the byte order
 * mark Excel reads UTF-8.
 */
function csvOf(rows: readonly (readonly Cell[])[], isFirst = false): string {
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
