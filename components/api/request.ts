import type { z } from "zod";

import { Problem, readProblem } from "@/components/api/problem";
import { setReachable } from "@/components/api/reachability";

const JSON_BOTH_WAYS = { accept: "application/json", "content-type": "application/json" };

type Method = "POST" | "PUT" | "PATCH" | "DELETE";

/** Sends one request to our own API with the session's cookie. Throws `Problem`. */
async function ask(path: string, init: RequestInit): Promise<Response> {
  const response = await fetch(path, { credentials: "same-origin", cache: "no-store", ...init }).catch(
    (error: unknown) => {
      if (init.signal?.aborted) throw error;
      setReachable(false);
      throw new Problem(
        "No connection",
        "The service did not answer. Check your network, then try again.",
        0,
        "network",
      );
    },
  );
  setReachable(true);
  if (!response.ok) throw await readProblem(response);
  return response;
}

/** Sends one request, and parses the answer. Throws `Problem`. */
async function call<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
  init: RequestInit,
): Promise<z.output<Schema>> {
  return schema.parse(await (await ask(path, init)).json());
}

/** What the API has shown, with its entity-tag, by which a change can name what it was made for. */
export interface Tagged<Value> {
  value: Value;
  tag: string | null;
}

/** Reads something that has an entity-tag. */
export async function getTagged<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
  signal?: AbortSignal,
): Promise<Tagged<z.output<Schema>>> {
  const response = await ask(`/api/v1${path}`, { headers: { accept: "application/json" }, signal: signal ?? null });
  return { value: schema.parse(await response.json()), tag: response.headers.get("etag") };
}

/** Replaces it. The API refuses with `precondition_failed` if it has another tag by now. */
export async function putTagged<Schema extends z.ZodType>(
  path: string,
  { value, tag }: Tagged<unknown>,
  schema: Schema,
): Promise<Tagged<z.output<Schema>>> {
  const response = await ask(`/api/v1${path}`, {
    method: "PUT",
    headers: { ...JSON_BOTH_WAYS, ...(tag !== null && { "if-match": tag }) },
    body: JSON.stringify(value),
  });
  return { value: schema.parse(await response.json()), tag: response.headers.get("etag") };
}

export function getJson<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
  signal?: AbortSignal,
): Promise<z.output<Schema>> {
  return call(`/api/v1${path}`, schema, { headers: { accept: "application/json" }, signal: signal ?? null });
}

/** With a `version`, the API refuses with `precondition_failed` unless the record has that version. */
export function sendJson<Schema extends z.ZodType>(
  method: Method,
  path: string,
  body: unknown,
  schema: Schema,
  version?: number,
): Promise<z.output<Schema>> {
  const precondition: Record<string, string> = version === undefined ? {} : { "if-match": `"${version}"` };
  return call(`/api/v1${path}`, schema, {
    method,
    headers: { ...JSON_BOTH_WAYS, ...precondition },
    body: JSON.stringify(body),
  });
}

/**
 * Sends passwords and one-time links to the sign-in routes, whose answers may set the session's cookie. Throws
 * `Problem`.
 */
export function sendCredentials<Schema extends z.ZodType>(
  method: "POST" | "PUT",
  path: string,
  body: unknown,
  schema: Schema,
): Promise<z.output<Schema>> {
  return call(`/api/auth${path}`, schema, { method, headers: JSON_BOTH_WAYS, body: JSON.stringify(body) });
}
