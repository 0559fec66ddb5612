import { AppError } from "@/lib/errors";

/** So much beyond the maximum is still read and forgotten, so that the sender sees the refusal and the connection stays good. */
const MOST_FORGOTTEN = 8 * 1024 * 1024;

/**
 * The bytes of a request's body, at most `maximum`. They are counted while reading, because a content-length may be absent.
 * Throws `payload_too_large` with the sentence `tooLarge`.
 */
export async function readBytes(request: Request, maximum: number, tooLarge: string): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > maximum + MOST_FORGOTTEN) break;
    if (size <= maximum) chunks.push(chunk);
  }
  if (size > maximum) throw new AppError("payload_too_large", tooLarge);
  return Buffer.concat(chunks, size);
}
