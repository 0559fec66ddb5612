import { AppError } from "@/lib/errors";
import { isSafe } from "@/lib/http/request";
import { Download, JsonText, type Operation } from "@/lib/operation";
import {
  type Preconditions,
  type EntityTag,
  matchesTag,
  tagOf,
  tagsOf,
  tagWithId,
  type Versioned,
} from "@/lib/preconditions";

interface Outcome {
  request: Request;
  operation: Pick<Operation, "createsIn" | "volatile">;
  preconditions: Preconditions;
  result: unknown;
  /** The status of a success, unless an upsert has created the record. */
  status: number;
}

/**
 * The response of an operation that succeeded: its JSON, and for a record its `ETag` and, if it is new, its `Location`.
 */
export function respond(outcome: Outcome): Response {
  const { request, operation, preconditions, result, status: usual } = outcome;
  if (result instanceof Download) return respondWithContent(outcome, result);
  const json = result instanceof JsonText ? result : new JsonText(JSON.stringify(result));
  const status = json.isNew ? 201 : usual;
  const record = versionedIn(request, json.text);
  // Web compresses it where it is long; a 304 says so as well (RFC 9110 §15.4.5).
  const headers = new Headers({ "cache-control": "no-store", vary: "Accept-Encoding" });
  const tag = etagOf(request, json, record);
  if (tag !== null) headers.set("etag", `"${tag}"`);
  if (isSafe(request.method) && isNotModified(operation, preconditions, knownTags(request, json, record)))
    return new Response(null, { status: 304, headers });
  headers.set("content-type", "application/json");
  if (json.fileName !== null) headers.set("content-disposition", `attachment; filename="${json.fileName}"`);
  if (record && status === 201) headers.set("location", locationOf(request, operation, record));
  headers.set("content-length", String(json.bytes.byteLength));
  return new Response(streamOf(json.bytes), { status, headers });
}

/** A file has no tag. A body that nobody reads is cancelled: it would keep its file open. */
function respondWithContent({ request, preconditions, status }: Outcome, { body, headers }: Download): Response {
  const isRefused = isSafe(request.method) && isUnmatched(preconditions, []);
  const isRead = !isRefused && request.method !== "HEAD";
  if (!isRead) void body.cancel();
  if (isRefused) throw unmatched();
  return new Response(isRead ? body : null, { status, headers: { "cache-control": "no-store", ...headers } });
}

/** A body of bytes that are not copied: from a string or from bytes, a Response of a page takes four times as long. */
function streamOf(bytes: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => {
      controller.enqueue(bytes);
      controller.close();
    },
  });
}

/** Entity-tags separated by commas: an opaque text in quotes each, weak with `W/` before it (RFC 9110 §8.8.3). */
const ENTITY_TAGS = /^(?:[ \t]*(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"[ \t]*(?:,(?!$)|$))+$/;

const ENTITY_TAG = /(W\/)?"([^"]*)"/g;

/**
 * Records begin like this, with the id first. So lists and other results need not be parsed to see that they are not
 * records.
 */
const RECORD_PREFIX = '{"id":';

/** The preconditions of a request (RFC 9110 §13.1). Throws `invalid_request` for anything but a list of entity-tags. */
export function readPreconditions(headers: Headers): Preconditions {
  const ifMatch = readTags(headers, "if-match");
  const ifNoneMatch = readTags(headers, "if-none-match");
  return { ...(ifMatch && { ifMatch }), ...(ifNoneMatch && { ifNoneMatch }) };
}

function readTags(headers: Headers, name: string): "*" | EntityTag[] | undefined {
  const value = headers.get(name)?.trim();
  if (value === undefined || value === "*") return value;
  if (!ENTITY_TAGS.test(value))
    throw new AppError("invalid_request", `\`${name}\` must hold entity-tags in quotes, like "3", or a lone *.`);
  return [...value.matchAll(ENTITY_TAG)].map(([, weak, tag = ""]) => ({ isWeak: weak !== undefined, tag }));
}

/**
 * The id and version of the record that a response shows; undefined if it shows none, or an expanded one, which can
 * change without a new version.
 */
function versionedIn(request: Request, body: string): Versioned | undefined {
  if (!body.startsWith(RECORD_PREFIX) || new URL(request.url).searchParams.has("expand")) return undefined;
  const { id, version } = JSON.parse(body) as Partial<Versioned>;
  return typeof id === "string" && typeof version === "number" ? { id, version } : undefined;
}

/**
 * The strong `ETag` of what a response shows; null if it has none. An external id can belong to another record
 * tomorrow, so the tag of a record at such an address contains the record's id.
 */
function etagOf(request: Request, { tag }: JsonText, record: Versioned | undefined): string | null {
  if (!record) return tag;
  return isByExtId(request) ? tagWithId(record) : tagOf(record);
}

/** The address of a new record: in the collection that the operation names, or else in the requested one. */
function locationOf(request: Request, { createsIn }: Pick<Operation, "createsIn">, { id }: Versioned): string {
  const collection = createsIn === undefined ? new URL(request.url).pathname : `/api/v1/${createsIn}`;
  return `${collection}/${id}`;
}

function isByExtId(request: Request): boolean {
  return new URL(request.url).pathname.split("/")[4] === "by_ext_id";
}

/** The tags of what a response shows. By external id, only that of this very record says that a client has it. */
interface KnownTags {
  ifMatch: readonly string[];
  ifNoneMatch: readonly string[];
}

function knownTags(request: Request, { tag }: JsonText, record: Versioned | undefined): KnownTags {
  const own = tag === null ? [] : [tag];
  if (!record) return { ifMatch: own, ifNoneMatch: own };
  return { ifMatch: tagsOf(record), ifNoneMatch: isByExtId(request) ? [tagWithId(record)] : tagsOf(record) };
}

/** Whether a GET is answered with 304, because the client already has what it shows. Throws `precondition_failed`. */
function isNotModified(
  { volatile }: Pick<Operation, "volatile">,
  preconditions: Preconditions,
  tags: KnownTags,
): boolean {
  if (isUnmatched(preconditions, tags.ifMatch)) throw unmatched();
  const { ifNoneMatch } = preconditions;
  if (ifNoneMatch === undefined || tags.ifNoneMatch.length === 0 || volatile) return false;
  return matchesTag(ifNoneMatch, tags.ifNoneMatch, { strongly: false });
}

/** Whether a response has none of the tags that If-Match names (RFC 9110 §13.1.1); it always has the tag `*`. */
function isUnmatched({ ifMatch }: Preconditions, tags: readonly string[]): boolean {
  if (ifMatch === undefined || ifMatch === "*") return false;
  return !matchesTag(ifMatch, tags, { strongly: true });
}

function unmatched(): AppError {
  return new AppError("precondition_failed", "The record has none of the versions that If-Match names.");
}

/** Refuses preconditions on a request that changes something without a version. */
export function assertNoPreconditions({ ifMatch, ifNoneMatch }: Preconditions): void {
  if (ifMatch === undefined && ifNoneMatch === undefined) return;
  throw new AppError(
    "precondition_failed",
    "Nothing here has a version, so If-Match and If-None-Match cannot be checked. Leave the header out.",
  );
}
