import type { Download } from "@/lib/operation";
import { streamedDownload } from "@/lib/streamed-download";

/** The media type of {@link ndjsonDownload}, for the declaration of its operation. */
export const NDJSON = "application/x-ndjson";

/** A file with a JSON object per line, of any length: see `streamedDownload`. */
export function ndjsonDownload(fileName: string, pages: AsyncIterable<readonly object[]>): Download {
  return streamedDownload({ fileName, contentType: NDJSON }, piecesOf(pages));
}

async function* piecesOf(pages: AsyncIterable<readonly object[]>): AsyncGenerator<Uint8Array> {
  for await (const page of pages) {
    if (page.length > 0) yield Buffer.from(page.map((each) => `${JSON.stringify(each)}\n`).join(""));
  }
}
