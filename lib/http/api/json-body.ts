import { formatNumber } from "@/lib/amounts";
import { AppError, type Fault, MAX_FAULTS } from "@/lib/errors";
import { ACCEPT_PATCH } from "@/lib/http/api/fallback-routes";
import { NO_BODY, readBytes } from "@/lib/http/body-bytes";
import { mediaTypeOf } from "@/lib/http/request";
import { exceededBound, isObject } from "@/lib/input/bounded-json";
import { GIVEN_IN_PATH, pointerTo } from "@/lib/input/parse-input";

export const MAX_BODY_BYTES = 1024 * 1024;

/** Room for an empty object with white space. */
const MAX_EMPTY_BODY_BYTES = 64;

/**
 * Reads a request's body as a JSON object (RFC 8259). Throws `unsupported_media_type`, `payload_too_large`,
 * `invalid_body`, or `invalid_request` for what JSON allows but readers understand differently ({@link jsonFaults}).
 */
export async function readJson(request: Request, maximumBytes = MAX_BODY_BYTES): Promise<Record<string, unknown>> {
  const { value, refusal } = await readJsonValue(request, maximumBytes);
  if (!isObject(value)) throw new AppError("invalid_body", "The body must be a JSON object: `{…}`.");
  if (refusal) throw refusal;
  return value;
}

/** As {@link readJson}, for any JSON, and with the `invalid_request` beside the value in place of thrown. */
export async function readJsonValue(
  request: Request,
  maximumBytes = MAX_BODY_BYTES,
): Promise<{ value: unknown; refusal: AppError | undefined }> {
  if (mediaTypeOf(request.headers) !== "application/json") throw notJsonError(request.method);
  assertPlainUtf8(request.headers);
  const bytes = await readBytes(request, maximumBytes, `The body may have at most ${maximumBytes} bytes.`);
  const text = decode(bytes);
  assertJsonSize(text);
  const value = parse(text);
  const errors = jsonFaults(text);
  const [first] = errors;
  const refusal = first && new AppError("invalid_request", `${first.pointer}: ${first.detail}`, { errors });
  return { value, refusal };
}

const UTF8 = /^\s*charset\s*=\s*"?utf-?8"?\s*$/i;

/** A body that is compressed, or not in UTF-8 as JSON must be (RFC 8259 §8.1), would be misread. */
function assertPlainUtf8(headers: Headers): void {
  const encoding = headers.get("content-encoding")?.trim().toLowerCase() ?? "identity";
  if (encoding !== "identity") throw encodedError();
  const [, ...parameters] = headers.get("content-type")?.split(";") ?? [];
  const isOther = parameters.some((parameter) => /^\s*charset\s*=/i.test(parameter) && !UTF8.test(parameter));
  if (isOther)
    throw new AppError("unsupported_media_type", "Send the body in UTF-8; `content-type` names another `charset`.");
}

/** A header also says that it is the coding, and which ones are read (RFC 9110 §12.5.3). */
function encodedError(): AppError {
  return new AppError("unsupported_media_type", "Send the body uncompressed, without `content-encoding`.", {
    headers: { "accept-encoding": "identity" },
  });
}

/** The refusal of a body that is no JSON. To a PATCH, a header also names the media type (RFC 5789 §2.2). */
function notJsonError(method: string): AppError {
  const headers: Record<string, string> = method === "PATCH" ? ACCEPT_PATCH : {};
  return new AppError("unsupported_media_type", "Send the body as JSON, with `content-type: application/json`.", {
    headers,
  });
}

/**
 * Like {@link readJson}, with the fields of the path added. A field that the body gives again is refused together with
 * all other faults, since one of the two would be ignored. A POST without a body is one with `{}`.
 */
export async function readJsonWith(request: Request, path: Record<string, string>): Promise<Record<string, unknown>> {
  const body = (await isLeftOut(request)) ? {} : await readJson(request);
  const named = Object.entries(path).map(([name, value]) => [name, Object.hasOwn(body, name) ? GIVEN_IN_PATH : value]);
  return { ...body, ...Object.fromEntries(named) };
}

/** A PATCH or PUT without a body is rather one that got lost. */
async function isLeftOut(request: Request): Promise<boolean> {
  if (request.method !== "POST" || request.headers.has("content-type")) return false;
  return readBytes(request, 0, NO_BODY).then(
    () => true,
    () => false,
  );
}

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
export const MAX_JSON = { values: 25_000, entries: 2_000 };

/**
 * Refuses a JSON text with more values, or more of them in one object or list, than any honest request has. It runs
 * before the text is parsed: parsing, schemas and comparisons take time per value, during which this process serves
 * nobody else. {@link jsonFaults} limits nesting. Throws `payload_too_large`.
 */
function assertJsonSize(json: string): void {
  const broken = exceededBound(json, MAX_JSON);
  if (broken === "entries")
    throw tooManyValues(`One object or list of the body may have at most ${formatNumber(MAX_JSON.entries)} entries.`);
  if (broken)
    throw tooManyValues(
      `The body may have at most ${formatNumber(MAX_JSON.values)} values; each object and list is one as well.`,
    );
}

function tooManyValues(bound: string): AppError {
  return new AppError("payload_too_large", `${bound} Send less at once.`);
}

/** Deeper than any input of ours, and shallow enough for recursive functions. */
const MAX_DEPTH = 64;

/** Strings, numbers and structure. Literals and white space do not matter here. The text is known to be valid JSON. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],]|-?\d[\d.eE+-]*/g;

/** An object or array that is open at this position of the text. */
interface Level {
  /** The names so far; null in an array. */
  names: Set<string> | null;
  /** The name or index of the present value. */
  at: string | number;
  awaitsName: boolean;
}

/**
 * Finds what JSON readers understand differently or what no record can store: a repeated name within an object, a lone
 * surrogate, a number that would be rounded (all RFC 7493 §2), U+0000, the name `__proto__`, and too deep nesting.
 * JSON.parse accepts all of these.
 */
function jsonFaults(text: string): Fault[] {
  const levels: Level[] = [];
  const faults: Fault[] = [];
  for (const [token] of text.matchAll(TOKEN)) {
    const code = follow(levels, token);
    if (code) faults.push({ pointer: pointerTo(levels.map(({ at }) => at)), code, detail: DETAILS[code] });
    if (code === "too_deep" || faults.length === MAX_FAULTS) break;
  }
  return faults;
}

const DETAILS = {
  repeated_name: "This name is given twice, and only one of the two would count; send it once.",
  unknown_field: "`__proto__` is not known here.",
  invalid_text: "A text must not contain the character U+0000 or half of a surrogate pair.",
  inexact_number:
    "This number is too large, or has more digits than readers of JSON keep. Write fewer digits; a custom field " +
    "can hold it as a text.",
  too_deep: `Objects and lists may be nested ${MAX_DEPTH} deep.`,
};

function follow(levels: Level[], token: string): keyof typeof DETAILS | undefined {
  const level = levels.at(-1);
  if (token === "{" || token === "[") return open(levels, token === "{");
  if (token === "}" || token === "]") {
    levels.pop();
  } else if (token === ",") {
    if (typeof level?.at === "number") level.at += 1;
    else if (level) level.awaitsName = true;
  } else {
    return token.startsWith('"') ? readText(level, token) : readNumber(token);
  }
  return undefined;
}

function readNumber(token: string): "inexact_number" | undefined {
  return isExactNumber(token) ? undefined : "inexact_number";
}

function open(levels: Level[], isObject: boolean): "too_deep" | undefined {
  levels.push({ names: isObject ? new Set() : null, at: isObject ? "" : 0, awaitsName: isObject });
  return levels.length > MAX_DEPTH ? "too_deep" : undefined;
}

function readText(level: Level | undefined, token: string): keyof typeof DETAILS | undefined {
  const text = token.includes("\\") ? (JSON.parse(token) as string) : token.slice(1, -1);
  if (level?.awaitsName) {
    level.at = text;
    level.awaitsName = false;
    if (text === "__proto__") return "unknown_field";
    if (level.names?.has(text)) return "repeated_name";
    level.names?.add(text);
  }
  return text.includes("\0") || !text.isWellFormed() ? "invalid_text" : undefined;
}

/** So many decimal digits distinguish a double from every other one (IEEE 754). */
const MAX_SIGNIFICANT_DIGITS = 17;

/** More characters than the smallest double needs without an exponent. Longer literals only cost time. */
const MAX_LITERAL_LENGTH = 400;

/**
 * Whether a number as JSON writes it is what a reader makes of it: not rounded (12345678901234567890), not infinite
 * (1e400). A double written out with up to 17 digits is exact, since every reader gets the same double (RFC 7493 §2.2).
 */
export function isExactNumber(literal: string): boolean {
  // What nearly all numbers are needs no closer look.
  if (/^-?\d{1,15}$/.test(literal)) return true;
  const read = literal.length > MAX_LITERAL_LENGTH ? Number.NaN : Number(literal);
  if (!Number.isFinite(read)) return false;
  const { digits, exponent } = decimal(literal);
  const isSame = (other: string) => {
    const written = decimal(other);
    return written.digits === digits && (digits === "" || written.exponent === exponent);
  };
  return (
    isSame(String(read)) ||
    (digits.length > 0 && digits.length <= MAX_SIGNIFICANT_DIGITS && isSame(read.toPrecision(digits.length)))
  );
}

/** The significant digits, without zeros at either end, and the power of ten of the last one. Zero has no digits. */
function decimal(literal: string): { digits: string; exponent: number } {
  const [, whole = "", fraction = "", power = "0"] = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(literal) ?? [];
  const significant = `${whole}${fraction}`.replace(/^0+/, "");
  const digits = significant.replace(/0+$/, "");
  return { digits, exponent: Number(power) - fraction.length + significant.length - digits.length };
}
