import type { Readable } from "node:stream";

/** How much of an answer is kept, in bytes. */
const KEPT_BYTES = 4096;

/** The beginning of an answer's body as text; the rest is not waited for. An answer that breaks off, or hangs, gives what there was until then. */
export async function readHead(answer: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.byteLength;
      // Leaving the loop cancels the rest.
      if (size >= KEPT_BYTES) break;
    }
  } catch {
    // The status has been given: that decides, not how the body ends.
  }
  const head = Buffer.concat(chunks).subarray(0, KEPT_BYTES);
  // PostgreSQL keeps no NUL in a text.
  return new TextDecoder().decode(head).replaceAll("\0", "\uFFFD");
}
