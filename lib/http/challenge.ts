import type { Scope } from "@/lib/context";
import { resourceMetadataUrl, resourceOf } from "@/lib/oauth/protected-resources";

interface Challenge {
  /** RFC 6750 §3.1; absent when no token was sent. */
  error?: { code: "invalid_request" | "invalid_token" | "insufficient_scope"; description: string };
  /** What a token needs. */
  scopes: readonly Scope[];
}

/** The `WWW-Authenticate` value that tells a client where to get a token for what it asked (RFC 6750 §3, RFC 9728 §5.1). */
export function bearerChallenge(request: Request, { error, scopes }: Challenge): string {
  const { pathname } = new URL(request.url);
  const attributes = [
    ...(error ? [`error="${error.code}"`, `error_description="${error.description}"`] : []),
    `scope="${scopes.join(" ")}"`,
    `resource_metadata="${resourceMetadataUrl(resourceOf(pathname))}"`,
  ];
  return `Bearer ${attributes.join(", ")}`;
}
