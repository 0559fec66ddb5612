import { expect } from "vitest";

import { readDemo } from "@/tests/service/support/demo";

/** The configured issuer, which is the same in every answer. */
export const ISSUER = readDemo().base_url;

export const matching = (pattern: RegExp | string): unknown => expect.stringMatching(pattern);
export const without = (text: string): unknown => expect.not.stringContaining(text);

/** The authorization endpoint accepts the request and asks the person. */
export const ASKED = { status: 303, location: matching(/^\/oauth\/consent\?request=/) };

/** A page for the person. The browser is not redirected. */
export const PAGE = {
  status: 400,
  location: null,
  headers: { "content-type": matching("^text/html"), "cache-control": "no-store", "x-frame-options": "DENY" },
};

/** A redirect to the client with an error, the state and the issuer. */
export function toClient(error: string, state: unknown = "xyz") {
  return {
    status: 303,
    location: matching(/^https:\/\/client\.example\//),
    returned: { error, state, iss: ISSUER, code: null },
  };
}

/** RFC 6749 §5.1 requires both, so that neither old nor new caches store the answer. */
export const NOT_STORED = { "cache-control": "no-store", pragma: "no-cache" };

/** An error of the token or revocation endpoint. */
export function refused(error: string, status = 400) {
  const headers = { ...NOT_STORED, "content-type": matching("^application/json"), "www-authenticate": null };
  return { status, headers, body: { error, error_description: matching(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/) } };
}

export const INVALID_CLIENT = refused("invalid_client", 401);
export const INVALID_CLIENT_BASIC = {
  ...INVALID_CLIENT,
  headers: { ...NOT_STORED, "www-authenticate": matching(/^Basic realm="/) },
};

export const ISSUED = { status: 200, body: { token_type: "Bearer", access_token: matching(/^[\w.~+/-]+=*$/) } };

/** The API accepts the token. */
export const OPEN = { status: 200 };

/** The challenge for a request with an invalid token (RFC 6750 §3, RFC 9728 §5.1). */
export function challenge(error: string, path = "/api/v1"): unknown {
  return matching(
    `^Bearer error="${error}", .*resource_metadata="${ISSUER}/.well-known/oauth-protected-resource${path}"$`,
  );
}
export const INVALID_TOKEN = { status: 401, headers: { "www-authenticate": challenge("invalid_token") } };

/** The page cannot be shown in a frame (clickjacking). */
export const UNFRAMEABLE = { "x-frame-options": "DENY", "content-security-policy": matching("frame-ancestors 'none'") };
