import { hash } from "node:crypto";

import { allowOnly } from "@/lib/http/api/fallback-routes";
import { assertNoParameters, readQuery } from "@/lib/http/api/parameters";
import { buildDocument } from "@/lib/http/openapi/document";
import { problemResponse } from "@/lib/http/problem";
import { requestIdOf } from "@/lib/http/request";

export const dynamic = "force-dynamic";

const { refuse, allow } = allowOnly("GET, HEAD, OPTIONS");

/** The document is public: tools of any origin may read it. It changes only with a release or a setting. */
const CORS = { "access-control-allow-origin": "*", "access-control-expose-headers": "etag" };

interface Representation {
  body: Uint8Array<ArrayBuffer>;
  etag: string;
}

let kept: Representation | undefined;

/** Made once per process, and kept as bytes: half as large as a string, and without the document that it is made of. */
function representation(): Representation {
  if (!kept) {
    const body = new TextEncoder().encode(JSON.stringify(buildDocument()));
    kept = { body, etag: `"${hash("sha256", body, "base64url").slice(0, 22)}"` };
  }
  return kept;
}

export function GET(request: Request): Response {
  try {
    assertNoParameters(readQuery(request.url));
  } catch (error) {
    return problemResponse(error, requestIdOf(request), CORS);
  }
  const { body, etag } = representation();
  const headers = { ...CORS, etag, "cache-control": "public, max-age=300" };
  if (isKnown(request.headers.get("if-none-match"), etag)) return new Response(null, { status: 304, headers });
  return new Response(body, { headers: { ...headers, "content-type": "application/json" } });
}

/** RFC 9110 §13.1.2: a list of tags, compared weakly, or `*`. */
function isKnown(given: string | null, etag: string): boolean {
  return (
    given !== null && given.split(",").some((tag) => tag.trim() === "*" || tag.trim().replace(/^W\//, "") === etag)
  );
}

export function OPTIONS(): Response {
  const headers = {
    ...CORS,
    allow,
    "access-control-allow-methods": "GET, HEAD",
    "access-control-allow-headers": "if-none-match",
  };
  return new Response(null, { status: 204, headers: { ...headers, "access-control-max-age": "86400" } });
}

export { refuse as POST, refuse as PUT, refuse as PATCH, refuse as DELETE };
