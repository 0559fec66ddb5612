import { AppError } from "@/lib/errors";

const MEBIBYTE = 1024 * 1024;

/**
 * Reads a request's body as a JSON object (RFC 8259). Throws `unsupported_media_type`, `payload_too_large` or `invalid_body`.
 * The size is counted while reading, because a content-length may be absent.
 */
export async function readJson(request: Request, maximumBytes = MEBIBYTE): Promise<Record<string, unknown>> {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") throw new AppError("unsupported_media_type", "Send the body as JSON, with `content-type: application/json`.");
  const bytes = await readBytes(request, maximumBytes);
  const value = parse(bytes);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new AppError("invalid_body", "The body must be a JSON object: `{…}`.");
  return value as Record<string, unknown>;
}

/** As {@link readJson}, joined with what the path says. A body that says it too is refused, since one of the two would be ignored. */
export async function readJsonWith(request: Request, path: Record<string, string>): Promise<Record<string, unknown>> {
  const body = await readJson(request);
  const taken = Object.keys(path).filter((name) => Object.hasOwn(body, name));
  if (taken.length === 0) return { ...body, ...path };
  const errors = taken.map((name) => ({ pointer: `/${name}`, code: "unknown_field", detail: `\`${name}\` stands in the path; leave it out here.` }));
  throw new AppError("invalid_request", "The body repeats what the path says; see `errors`.", { errors });
}

async function readBytes(request: Request, maximumBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > maximumBytes) throw new AppError("payload_too_large", `The body may have at most ${maximumBytes} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

function parse(bytes: Uint8Array): unknown {
  if (bytes.byteLength === 0) throw new AppError("invalid_body", "The body is empty; send a JSON object.");
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    throw new AppError("invalid_body", `The body is not valid JSON in UTF-8: ${error instanceof Error ? error.message : "it cannot be read"}.`);
  }
}
