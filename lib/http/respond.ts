import { etagOf, isNotModified, locationOf, versionedIn } from "@/lib/http/etag";
import { JsonText, type Operation } from "@/lib/operation";
import type { Preconditions } from "@/lib/preconditions";

interface Answered {
  request: Request;
  operation: Pick<Operation, "createsIn">;
  preconditions: Preconditions;
  result: unknown;
  /** Of a success, unless an upsert has created. */
  status: number;
}

/** The answer of an operation that succeeded: its JSON, and for one record its `ETag` and, when it is new, its `Location`. */
export function respond({ request, operation, preconditions, result, status: usual }: Answered): Response {
  const json = result instanceof JsonText ? result : new JsonText(JSON.stringify(result));
  const status = json.isNew ? 201 : usual;
  const record = versionedIn(request, json.text);
  const headers = new Headers({ "cache-control": "no-store" });
  if (record) headers.set("etag", etagOf(request, record));
  if (isSafe(request.method) && isNotModified(request, preconditions, record)) return new Response(null, { status: 304, headers });
  headers.set("content-type", "application/json");
  if (record && status === 201) headers.set("location", locationOf(request, operation, record));
  return new Response(inOnePiece(json.bytes), { status, headers });
}

/** A body of bytes that are not copied: given a text or the bytes, a Response takes four times as long for a page. */
function inOnePiece(bytes: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => {
      controller.enqueue(bytes);
      controller.close();
    },
  });
}

/** Whether a method only reads (RFC 9110 §9.2.1). */
export function isSafe(method: string): boolean {
  return method === "GET" || method === "HEAD";
}
