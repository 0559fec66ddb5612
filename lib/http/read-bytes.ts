import { AppError } from "@/lib/errors";

/** So much beyond the maximum is still read and forgotten, so that the sender sees the refusal and the connection stays good. */
const MOST_FORGOTTEN = 8 * 1024 * 1024;

/**
 * The bytes of a request's body, at most `maximum`. They are counted while reading, because a content-length may be absent.
 * Throws `payload_too_large` with the sentence `tooLarge`, and `invalid_body` when the sender has gone: that is no defect of ours to be logged.
 */
export async function readBytes(request: Request, maximum: number, tooLarge: string): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of request.body ?? []) {
      size += chunk.byteLength;
      if (size > maximum + MOST_FORGOTTEN) break;
      if (size <= maximum) chunks.push(chunk);
    }
  } catch (error) {
    throw isReset(error) ? new AppError("invalid_body", "The connection ended before the body did.", { cause: error }) : error;
  }
  if (size > maximum) throw new AppError("payload_too_large", tooLarge);
  return Buffer.concat(chunks, size);
}

function isReset(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ECONNRESET";
}
