import { AppError } from "@/lib/errors";
import { ACCEPT_PATCH } from "@/lib/http/api/fallback-routes";
import { jsonFaults } from "@/lib/http/api/json-faults";
import { readBytes } from "@/lib/http/body-bytes";
import { mediaTypeOf } from "@/lib/http/request";
import { exceededBound } from "@/lib/input/bounded-json";
import { GIVEN_IN_PATH } from "@/lib/input/parse-input";

const MEBIBYTE = 1024 * 1024;

/** Room for an empty object with white space. */
const MAX_EMPTY_BODY_BYTES = 64;

/**
 * Reads a request's body as a JSON object (RFC 8259). Throws `unsupported_media_type`, `payload_too_large`,
 * `invalid_body`, or `invalid_request` for what JSON allows but readers understand differently ({@link jsonFaults}).
 */
export async function readJson(request: Request, maximumBytes = MEBIBYTE): Promise<Record<string, unknown>> {
  if (mediaTypeOf(request.headers) !== "application/json") throw notJsonError(request.method);
  assertPlainUtf8(request.headers);
  const bytes = await readBytes(request, maximumBytes, `The body may have at most ${maximumBytes} bytes.`);
  const text = decode(bytes);
  assertJsonSize(text);
  const value = parse(text);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new AppError("invalid_body", "The body must be a JSON object: `{…}`.");
  const errors = jsonFaults(text);
  const [first] = errors;
  if (first) throw new AppError("invalid_request", `${first.pointer}: ${first.detail}`, { errors });
  return value as Record<string, unknown>;
}

const UTF8 = /^\s*charset\s*=\s*"?utf-?8"?\s*$/i;

/** A body that is compressed, or not in UTF-8 as JSON must be (RFC 8259 §8.1), would be misread. */
function assertPlainUtf8(headers: Headers): void {
  const encoding = headers.get("content-encoding")?.trim().toLowerCase() ?? "identity";
  if (encoding !== "identity")
    throw new AppError("unsupported_media_type", "Send the body uncompressed, without `content-encoding`.");
  const [, ...parameters] = headers.get("content-type")?.split(";") ?? [];
  const isOther = parameters.some((parameter) => /^\s*charset\s*=/i.test(parameter) && !UTF8.test(parameter));
  if (isOther)
    throw new AppError("unsupported_media_type", "Send the body in UTF-8; `content-type` names another `charset`.");
}

/** For a PATCH, a header also says which media type is read (RFC 5789 §2.2). */
function notJsonError(method: string): AppError {
  const headers: Record<string, string> = method === "PATCH" ? ACCEPT_PATCH : {};
  return new AppError("unsupported_media_type", "Send the body as JSON, with `content-type: application/json`.", {
    headers,
  });
}

/**
 * Like {@link readJson}, with the fields of the path added. A field that the body gives again is refused together with
 * all other faults, since one of the two would be ignored.
 */
export async function readJsonWith(request: Request, path: Record<string, string>): Promise<Record<string, unknown>> {
  const body = await readJson(request);
  const named = Object.entries(path).map(([name, value]) => [name, Object.hasOwn(body, name) ? GIVEN_IN_PATH : value]);
  return { ...body, ...Object.fromEntries(named) };
}

const NO_BODY = "No body is read here; leave it out.";

/**
 * Refuses a body that was not read, since it would be ignored. Accepts an empty one and an empty object, which some
 * clients send with every POST. Throws `invalid_request`.
 */
export async function assertNoUnreadBody(request: Request): Promise<void> {
  if (request.bodyUsed) return;
  const bytes = await readBytes(request, MAX_EMPTY_BODY_BYTES, NO_BODY).catch((error: unknown) => {
    throw error instanceof AppError ? new AppError("invalid_request", NO_BODY) : error;
  });
  if (!/^\s*(?:\{\s*\})?\s*$/.test(bytes.toString("latin1"))) throw new AppError("invalid_request", NO_BODY);
}

function decode(bytes: Uint8Array): string {
  if (bytes.byteLength === 0) throw new AppError("invalid_body", "The body is empty; send a JSON object.");
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new AppError("invalid_body", "The body is not valid UTF-8.");
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new AppError(
      "invalid_body",
      `The body is not valid JSON: ${error instanceof Error ? error.message : "it cannot be read"}.`,
    );
  }
}

/**
 * More values than a megabyte of records has: 200 with 120 fields each. More entries than custom fields in a record,
 * values in a picklist, or anything else of ours.
 */
const MAX_JSON = { values: 25_000, entries: 2_000 };

/**
 * Refuses a JSON text with more values, or more of them in one object or list, than any honest request has. It runs
 * before the text is parsed: parsing, schemas and comparisons take time per value, during which this process serves
 * nobody else. `lib/http/api/json-faults.ts` limits nesting. Throws `payload_too_large`.
 */
function assertJsonSize(json: string): void {
  const broken = exceededBound(json, MAX_JSON);
  if (broken === "entries")
    throw tooManyValues(`One object or list of the body may have at most ${formatCount(MAX_JSON.entries)} entries.`);
  if (broken)
    throw tooManyValues(
      `The body may have at most ${formatCount(MAX_JSON.values)} values; each object and list is one as well.`,
    );
}

function tooManyValues(bound: string): AppError {
  return new AppError("payload_too_large", `${bound} Send less at once.`);
}

function formatCount(count: number): string {
  return count.toLocaleString("en");
}
