/** One request. Its path is one of the document, with a query if needed. */
export interface ApiRequest {
  path: string;
  /** Null: no token. */
  token: string | null;
  headers?: Record<string, string>;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent unchanged, instead of JSON. */
  text?: string;
}

/** A difference from the document. */
interface Violation {
  /** `request` or `response`, then the place: `["response", "body", "data", "0", "id"]`. */
  location: string[];
  code?: string;
  message: string;
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** The parsed JSON, or undefined. */
  body: Record<string, unknown> | undefined;
  /** The findings of the validating proxy, if there was one. */
  violations: Violation[];
}

/** Sends a request to `origin`, which may be a validating proxy. */
export async function sendRequest(
  origin: string,
  method: string,
  { path, token, headers, body, text }: ApiRequest,
): Promise<Answer> {
  const response = await fetch(`${origin}${path}`, {
    method,
    headers: {
      "accept-encoding": "identity",
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { "content-type": "application/json" }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(text !== undefined && { body: text }),
  });
  const received = await response.text();
  const isJson = /^application\/(?:problem\+)?json$/.test(response.headers.get("content-type") ?? "");
  return {
    status: response.status,
    headers: response.headers,
    text: received,
    body: isJson ? (JSON.parse(received) as Record<string, unknown>) : undefined,
    violations: violationsIn(response.headers),
  };
}

function violationsIn(headers: Headers): Violation[] {
  const found = headers.get("sl-violations");
  if (found === null) return [];
  // Prism truncates a long list in the middle of its JSON.
  if (!found.startsWith("[")) return [{ location: ["response"], message: found }];
  return JSON.parse(found) as Violation[];
}

/** Prism's message for a request that matches no operation. It does not check the answer then. */
const NOT_LOOKED_AT = "Selected route not found";

/** The differences from the document as lines of text: those of the answer, or also of the request. */
export function faultsOf({ violations }: Answer, side: "answer" | "both"): string[] {
  return violations
    .filter(({ location, message }) => side === "both" || location[0] === "response" || message === NOT_LOOKED_AT)
    .map(({ location, message }) => `${location.join(".")}: ${message}`);
}
