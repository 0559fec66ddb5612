import { BASE_URL } from "@/tests/oauth/support/fixtures";

import type { FuzzedCode } from "@/tests/oauth/fuzz/support/world";

interface SentRequest {
  url: string;
  headers: Headers;
  body: Buffer;
}

const NOT_IN_THE_URL = [
  "client_id",
  "client_secret",
  "code",
  "code_verifier",
  "grant_type",
  "redirect_uri",
  "resource",
];

const RESOURCES = new Set(["", "/", "/api/v1", "/api/v1/", "/api/mcp", "/api/mcp/"].map((path) => BASE_URL + path));

/** Whether a request deserves a token for this code, judged by the RFCs and not by code of the service. */
export function isEntitled({ url, headers, body }: SentRequest, code: FuzzedCode): boolean {
  const parameters = new URLSearchParams(body.toString("utf8"));
  const query = new URL(url).searchParams;
  const mediaType = headers.get("content-type")?.toLowerCase() ?? "";
  return (
    code.isLive &&
    mediaType.startsWith("application/x-www-form-urlencoded") &&
    !NOT_IN_THE_URL.some((name) => query.get(name)) &&
    isRightful(parameters, code) &&
    isAuthentic(headers.get("authorization"), parameters, code)
  );
}

/** Each parameter once and as it was issued (RFC 6749 §4.1.3, RFC 7636 §4.6); any resource is ours (RFC 8707 §2.2). */
function isRightful(parameters: URLSearchParams, { code, redirectUri, verifier }: FuzzedCode): boolean {
  const needed = { grant_type: "authorization_code", code, redirect_uri: redirectUri, code_verifier: verifier };
  const isOnly = ([name, value]: [string, string]) =>
    parameters.getAll(name).length === 1 && parameters.get(name) === value;
  return (
    Object.entries(needed).every(isOnly) &&
    parameters.getAll("resource").every((resource) => resource === "" || RESOURCES.has(resource))
  );
}

/** By exactly one of the two methods, as the code's own client (RFC 6749 §2.3). */
function isAuthentic(authorization: string | null, parameters: URLSearchParams, { client }: FuzzedCode): boolean {
  const inBody = parameters.getAll("client_secret").filter(Boolean);
  const named = parameters.getAll("client_id").filter(Boolean);
  if (authorization === null) return named.join() === client.clientId && client.secrets.includes(inBody.join());
  const [id, secret] = Buffer.from(authorization.slice("Basic ".length), "base64").toString("utf8").split(":");
  return (
    inBody.length === 0 &&
    id === client.clientId &&
    client.secrets.includes(secret ?? "") &&
    named.every((name) => name === id)
  );
}
