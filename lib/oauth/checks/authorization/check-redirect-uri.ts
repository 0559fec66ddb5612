import type { Client } from "@/lib/oauth/find-client";
import type { Parameters } from "@/lib/oauth/parameters";
import { UnsafeRedirect } from "@/lib/oauth/unsafe-redirect";

/** The redirect URI is one of the client's, compared character for character (RFC 9700 §4.1.3). */
export function checkRedirectUri(parameters: Parameters, client: Client): string {
  if (parameters.isRepeated("redirect_uri"))
    throw new UnsafeRedirect("The link names more than one address to go on to.", "redirect_uri is included more than once.");
  const uri = parameters.get("redirect_uri");
  if (!uri) throw new UnsafeRedirect("The link does not say where to go on to afterwards.", "redirect_uri is missing.");
  if (!client.redirect_uris.includes(uri)) {
    const forDeveloper = "redirect_uri is not one of the client's redirect URIs. It must match one of them character for character.";
    throw new UnsafeRedirect(`The link would have sent you on to an address that ${client.name} has not registered.`, forDeveloper);
  }
  return uri;
}
