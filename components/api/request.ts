import type { z } from "zod";

import { Problem, readProblem } from "@/components/api/problem";

const JSON_BOTH_WAYS = { accept: "application/json", "content-type": "application/json" };

type Method = "POST" | "PUT" | "PATCH" | "DELETE";

/** Sends one request to our own API with the session's cookie, and parses the answer. Throws `Problem`. */
async function call<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
  init: RequestInit,
): Promise<z.output<Schema>> {
  const response = await fetch(path, { credentials: "same-origin", cache: "no-store", ...init }).catch(
    (error: unknown) => {
      if (init.signal?.aborted) throw error;
      throw new Problem(
        "No connection",
        "The service did not answer. Check your network, then try again.",
        0,
        "network",
      );
    },
  );
  if (!response.ok) throw await readProblem(response);
  return schema.parse(await response.json());
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
