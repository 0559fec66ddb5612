import { Problem, readProblem } from "@/components/api/problem";
import { setReachable } from "@/components/api/reachability";
import { SHOWN_PERSON } from "@/lib/context";

const JSON_BOTH_WAYS = { accept: "application/json", "content-type": "application/json" };

type Method = "POST" | "PUT" | "PATCH" | "DELETE";

/** What to do when there was no answer: a change may have been made nevertheless. */
const AGAIN = "Check your network, then try again.";
const LOOK_FIRST = "Check your network, look whether your change was made, and try again.";

/** An answer may take this long: balancers cut it off after 90 seconds (docs/deploy.md). */
const TIMEOUT_MS = 100_000;

const LATE =
  "The service has not answered for 100 seconds. If you made a change, look whether it was made. Then try again.";

function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === "TimeoutError";
}

/** Whom the frame around the page shows as signed in; null without a frame. */
let shown: string | null = null;

/** Tells the API with each request whom the page shows: it refuses if somebody else has signed in since. */
export function setShownPerson(person: string | null): void {
  shown = person;
}

interface Received<Answer> {
  value: Answer;
  headers: Headers;
}

/**
 * Sends one request to our own API with the session's cookie. Throws `Problem`. The answer is not checked here: the
 * service's tests hold each answer of our own API to its schema, and checking it again would bring the schemas and
 * their library to every page.
 */
async function ask<Answer>(
  path: string,
  init: RequestInit,
  remedy = init.method ? LOOK_FIRST : AGAIN,
): Promise<Received<Answer>> {
  const lost = (error: unknown): never => {
    if (init.signal?.aborted) throw error;
    if (isTimeout(error)) throw new Problem({ title: "No answer in time", detail: LATE, code: "timeout" });
    throw new Problem({ title: "No connection", detail: `The service did not answer. ${remedy}`, code: "network" });
  };
  const response = await send(path, init).catch((error: unknown) => {
    if (!init.signal?.aborted && !isTimeout(error)) setReachable(false);
    return lost(error);
  });
  setReachable(true);
  if (!response.ok) throw await readProblem(response);
  // The connection can break within the body.
  return { value: (await response.json().catch(lost)) as Answer, headers: response.headers };
}

function send(path: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers);
  if (shown !== null) headers.set(SHOWN_PERSON, shown);
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const signal = init.signal ? AbortSignal.any([init.signal, timeout]) : timeout;
  return fetch(path, { credentials: "same-origin", cache: "no-store", ...init, headers, signal });
}

/** Sends one request. Throws `Problem`. */
async function call<Answer>(path: string, init: RequestInit, remedy?: string): Promise<Answer> {
  return (await ask<Answer>(path, init, remedy)).value;
}

/** What the API has shown, with its entity-tag, by which a change can name what it was made for. */
export interface Tagged<Value> {
  value: Value;
  tag: string | null;
}

/** Reads something that has an entity-tag. */
export async function getTagged<Value>(path: string, signal?: AbortSignal): Promise<Tagged<Value>> {
  const init = { headers: { accept: "application/json" }, signal: signal ?? null };
  const { value, headers } = await ask<Value>(`/api/v1${path}`, init);
  return { value, tag: headers.get("etag") };
}

/** Replaces it. The API refuses with `precondition_failed` if it has another tag by now. */
export async function putTagged<Value>(path: string, { value, tag }: Tagged<Value>): Promise<Tagged<Value>> {
  const received = await ask<Value>(`/api/v1${path}`, {
    method: "PUT",
    headers: { ...JSON_BOTH_WAYS, ...(tag !== null && { "if-match": tag }) },
    body: JSON.stringify(value),
  });
  return { value: received.value, tag: received.headers.get("etag") };
}

export function getJson<Answer>(path: string, signal?: AbortSignal): Promise<Answer> {
  return call(`/api/v1${path}`, { headers: { accept: "application/json" }, signal: signal ?? null });
}

/**
 * With a version or an entity-tag, the API refuses with `precondition_failed` unless that is still what it is about.
 */
export function sendJson<Answer>(
  method: Method,
  path: string,
  body: unknown,
  seen?: number | string | null,
): Promise<Answer> {
  const tag = typeof seen === "number" ? `"${seen}"` : seen;
  const precondition: Record<string, string> = tag == null ? {} : { "if-match": tag };
  return call(`/api/v1${path}`, {
    method,
    headers: { ...JSON_BOTH_WAYS, ...precondition },
    body: JSON.stringify(body),
  });
}

/** Sends by POST what the API is to do once, however often it gets it with this key (`usePost` makes it). */
export function postWithKey<Answer>(path: string, body: unknown, key: string): Promise<Answer> {
  const headers = { ...JSON_BOTH_WAYS, "idempotency-key": key };
  return call(`/api/v1${path}`, { method: "POST", headers, body: JSON.stringify(body) }, AGAIN);
}

/** An answer that names what was refused without the id of the request, which comes beside it. */
export interface Identified<Value> {
  value: Value;
  requestId: string | null;
}

/** Sends what may be refused in part. */
export async function sendParts<Value>(path: string, body: unknown): Promise<Identified<Value>> {
  const init = { method: "POST", headers: JSON_BOTH_WAYS, body: JSON.stringify(body) };
  const { value, headers } = await ask<Value>(`/api/v1${path}`, init);
  return { value, requestId: headers.get("x-request-id") };
}

/**
 * Sends passwords and one-time links to the sign-in routes, whose answers may set the session's cookie. Throws
 * `Problem`.
 */
export function sendCredentials<Answer>(method: "POST" | "PUT", path: string, body: unknown): Promise<Answer> {
  return call(`/api/auth${path}`, { method, headers: JSON_BOTH_WAYS, body: JSON.stringify(body) });
}
