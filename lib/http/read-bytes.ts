import { AppError } from "@/lib/errors";

/**
 * The bytes of a request's body, at most `maximum`. They are counted while reading, because a content-length may be absent.
 * Throws `payload_too_large` with the sentence `tooLarge`.
 */
export async function readBytes(request: Request, maximum: number, tooLarge: string): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > maximum) throw new AppError("payload_too_large", tooLarge);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}
