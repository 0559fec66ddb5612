/** One request. Its path is as the document has it, with a query if there is one. */
export interface Asking {
  path: string;
  /** None where it is null. */
  token: string | null;
  headers?: Record<string, string>;
  /** Sent as JSON. */
  body?: unknown;
  /** A body that is not sent as JSON. */
  text?: string;
}

/** Something that is not as the document has it. */
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
  /** Of JSON, else undefined. */
  body: Record<string, unknown> | undefined;
  /** What the validating proxy has found, if one stood between. */
  violations: Violation[];
}

/** Sends a request to `origin`, which may be a validating proxy. */
export async function ask(
  origin: string,
  method: string,
  { path, token, headers, body, text }: Asking,
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
  // Prism cuts a long list off in the middle of its JSON.
  if (!found.startsWith("[")) return [{ location: ["response"], message: found }];
  return JSON.parse(found) as Violation[];
}

/**
 * What Prism says of a request that belongs to no operation of the document, whose answer it therefore does not look
 * at.
 */
const NOT_LOOKED_AT = "Selected route not found";

/** What is not as the document has it, in lines to read: of the answer alone, or of the request as well. */
export function faultsOf({ violations }: Answer, side: "answer" | "both"): string[] {
  return violations
    .filter(({ location, message }) => side === "both" || location[0] === "response" || message === NOT_LOOKED_AT)
    .map(({ location, message }) => `${location.join(".")}: ${message}`);
}
