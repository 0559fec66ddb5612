import { readBytes } from "@/lib/http/read-bytes";

const KIBIBYTE = 1024;

/** The text of a form-encoded body. Throws `payload_too_large` when it is longer than any form of ours. */
export async function readForm(request: Request): Promise<string> {
  return (await readBytes(request, 64 * KIBIBYTE, "A form may have at most 64 KB.")).toString("utf8");
}
