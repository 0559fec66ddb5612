import { AppError } from "@/lib/errors";

const MAX_BYTES = 64 * 1024;

/** The text of a form-encoded body. Throws `payload_too_large` when it is longer than any form of ours. */
export async function readForm(request: Request): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BYTES) throw new AppError("payload_too_large", "A form may have at most 64 KB.");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
