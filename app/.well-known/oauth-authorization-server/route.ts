import { metadataAnswer, metadataOptions } from "@/app/.well-known/metadata-answer";
import { authorizationServerMetadata } from "@/lib/oauth/metadata";

/** The issuer is a setting of the running process, unknown when the service is built. */
export const dynamic = "force-dynamic";

/** RFC 8414 §3. */
export function GET(): Response {
  return metadataAnswer(authorizationServerMetadata());
}

export const OPTIONS = metadataOptions;
