import { stringify } from "csv-stringify/sync";

import { Download } from "@/lib/operation";

interface Named {
  /** Has only characters of the service. */
  fileName: string;
  contentType: string;
}

/** A file of any length, of which one piece is in memory: the next one is made when the client has taken the last. */
export function streamedDownload({ fileName, contentType }: Named, pieces: AsyncGenerator<Uint8Array>): Download {
  return new Download(streamOf(pieces), {
    "content-type": contentType,
    "content-disposition": `attachment; filename="${fileName}"`,
    "x-content-type-options": "nosniff",
  });
}

/** Asks for the next piece only when the client has read the last one, and for the first one when it reads at all. */
function streamOf(pieces: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  const source: UnderlyingDefaultSource<Uint8Array> = {
    async pull(controller) {
      const { value, done } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: async () => void (await pieces.return(undefined)),
  };
  return new ReadableStream(source, { highWaterMark: 0 });
}

/** The media type of {@link csvDownload}, for the declaration of its operation. */
export const CSV = "text/csv";

type Cell = string | number | boolean | null | undefined;

/** A CSV file (RFC 4180) of any length: see {@link streamedDownload}. `fileName` has only characters of the service. */
export function csvDownload(
  fileName: string,
  columns: readonly string[],
  pages: AsyncIterable<readonly (readonly Cell[])[]>,
): Download {
  return streamedDownload({ fileName, contentType: `${CSV}; charset=utf-8` }, csvPieces(columns, pages));
}

async function* csvPieces(
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

/** The media type of {@link ndjsonDownload}, for the declaration of its operation. */
export const NDJSON = "application/x-ndjson";

/** A file with a JSON object per line, of any length: see {@link streamedDownload}. */
export function ndjsonDownload(fileName: string, pages: AsyncIterable<readonly object[]>): Download {
  return streamedDownload({ fileName, contentType: NDJSON }, ndjsonPieces(pages));
}

async function* ndjsonPieces(pages: AsyncIterable<readonly object[]>): AsyncGenerator<Uint8Array> {
  for await (const page of pages) {
    if (page.length > 0) yield Buffer.from(page.map((each) => `${JSON.stringify(each)}\n`).join(""));
  }
}
