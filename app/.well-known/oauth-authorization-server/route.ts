import { metadataAnswer, metadataOptions } from "@/app/.well-known/metadata-answer";
import { allowOnly } from "@/lib/http/api/fallback-routes";
import { authorizationServerMetadata } from "@/lib/oauth/metadata";

const { refuse } = allowOnly("GET, HEAD, OPTIONS");

/** Rendered per request: the issuer is a setting of the running process, unknown at build time. */
export const dynamic = "force-dynamic";

/** RFC 8414 §3. */
export function GET(): Response {
  return metadataAnswer(authorizationServerMetadata());
}

export const OPTIONS = metadataOptions;

export { refuse as POST, refuse as PUT, refuse as PATCH, refuse as DELETE };
