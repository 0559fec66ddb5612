import { AppError } from "@/lib/errors";
import { isSafe } from "@/lib/http/request";
import { JsonText, type Operation } from "@/lib/operation";
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
  /** Of a success, unless an upsert has created. */
  status: number;
}

/**
 * The answer of an operation that succeeded: its JSON, and for one record its `ETag` and, when it is new, its
 * `Location`.
 */
export function respond({ request, operation, preconditions, result, status: usual }: Outcome): Response {
  const json = result instanceof JsonText ? result : new JsonText(JSON.stringify(result));
  const status = json.isNew ? 201 : usual;
  const record = versionedIn(request, json.text);
  const headers = new Headers({ "cache-control": "no-store" });
  if (record) headers.set("etag", etagOf(request, record));
  if (isSafe(request.method) && isNotModified(request, operation, preconditions, record))
    return new Response(null, { status: 304, headers });
  headers.set("content-type", "application/json");
  if (record && status === 201) headers.set("location", locationOf(request, operation, record));
  return new Response(streamOf(json.bytes), { status, headers });
}

/** A body of bytes that are not copied: given a text or the bytes, a Response takes four times as long for a page. */
function streamOf(bytes: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => {
      controller.enqueue(bytes);
      controller.close();
    },
  });
}

/** Entity-tags with commas between them: an opaque text in quotes each, weak with `W/` before it (RFC 9110 §8.8.3). */
const ENTITY_TAGS = /^(?:[ \t]*(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"[ \t]*(?:,(?!$)|$))+$/;

const ENTITY_TAG = /(W\/)?"([^"]*)"/g;

/** Records are written so, with the id first. Lists and other answers need not be parsed to see that they are none. */
const RECORD_PREFIX = '{"id":';

/** The preconditions of a request (RFC 9110 §13.1). Throws `invalid_request` for what is no list of entity-tags. */
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
 * The record that an answer is, as far as its version goes: it changes with whatever else the answer shows, unless that
 * was expanded.
 */
function versionedIn(request: Request, body: string): Versioned | undefined {
  if (!body.startsWith(RECORD_PREFIX) || new URL(request.url).searchParams.has("expand")) return undefined;
  const { id, version } = JSON.parse(body) as Partial<Versioned>;
  return typeof id === "string" && typeof version === "number" ? { id, version } : undefined;
}

/**
 * The strong `ETag` of a record at the address that was asked. What has an external id can be another record tomorrow.
 */
function etagOf(request: Request, record: Versioned): string {
  return isByExtId(request) ? `"${tagWithId(record)}"` : `"${tagOf(record)}"`;
}

/**
 * Where a record that was just created stands: in the collection that the operation names, or else in the one that was
 * asked.
 */
function locationOf(request: Request, { createsIn }: Pick<Operation, "createsIn">, { id }: Versioned): string {
  const collection = createsIn === undefined ? new URL(request.url).pathname : `/api/v1/${createsIn}`;
  return `${collection}/${id}`;
}

function isByExtId(request: Request): boolean {
  return new URL(request.url).pathname.split("/")[4] === "by_ext_id";
}

/**
 * Whether a GET is answered with 304, because the client has what it asks for: by its external id, the tag of that very
 * record. Throws `precondition_failed`. `record` is undefined without a tag.
 */
function isNotModified(
  request: Request,
  { volatile }: Pick<Operation, "volatile">,
  { ifMatch, ifNoneMatch }: Preconditions,
  record: Versioned | undefined,
): boolean {
  if (
    ifMatch !== undefined &&
    ifMatch !== "*" &&
    !(record && matchesTag(ifMatch, tagsOf(record), { strongly: true }))
  ) {
    throw new AppError("precondition_failed", "The record has none of the versions that If-Match names.");
  }
  if (ifNoneMatch === undefined || record === undefined || volatile) return false;
  return matchesTag(ifNoneMatch, isByExtId(request) ? [tagWithId(record)] : tagsOf(record), { strongly: false });
}

/**
 * Refuses preconditions on a request that changes something which has no version: there is nothing that they could hold
 * of.
 */
export function assertNoPreconditions({ ifMatch, ifNoneMatch }: Preconditions): void {
  if (ifMatch === undefined && ifNoneMatch === undefined) return;
  throw new AppError(
    "precondition_failed",
    "Nothing here has a version that If-Match or If-None-Match could be about. Leave the header out.",
  );
}
