import type { Client } from "@/lib/oauth/find-client";
import type { Parameters } from "@/lib/oauth/parameters";
import { UnsafeRedirect } from "@/lib/oauth/unsafe-redirect";

/** The redirect URI is one of the client's, compared character for character (RFC 9700 §4.1.3). */
export function checkRedirectUri(parameters: Parameters, client: Client): string {
  if (parameters.isRepeated("redirect_uri")) throw new UnsafeRedirect("The link names redirect_uri more than once.");
  const uri = parameters.get("redirect_uri");
  if (!uri) throw new UnsafeRedirect("The link does not say where to return to: redirect_uri is missing.");
  if (!client.redirect_uris.includes(uri)) {
    throw new UnsafeRedirect(`The link wants to return to an address that is not registered for ${client.name}: redirect_uri must match exactly.`);
  }
  return uri;
}
