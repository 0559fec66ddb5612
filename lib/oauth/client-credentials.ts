import { OAuthError } from "@/lib/oauth/oauth-error";
import type { TokenRequest } from "@/lib/oauth/token-request";

export interface ClientCredentials {
  clientId: string;
  clientSecret: string;
}

/** The credentials of `client_secret_basic` or `client_secret_post` (RFC 6749 §2.3.1). Throws `invalid_client`, or `invalid_request`. */
export function readClientCredentials({ authorization, body }: TokenRequest): ClientCredentials {
  if (authorization !== null) return readBasic(authorization, body.get("client_id"));
  const clientId = body.get("client_id");
  const clientSecret = body.get("client_secret");
  if (!clientId || !clientSecret) throw new OAuthError("invalid_client", "Send client_id and client_secret, in the body or by HTTP Basic.");
  return { clientId, clientSecret };
}

function readBasic(authorization: string, bodyClientId: string | undefined): ClientCredentials {
  const [, encoded] = /^Basic +([A-Za-z0-9+/]+=*)$/i.exec(authorization) ?? [];
  const decoded = encoded && Buffer.from(encoded, "base64").toString("utf8");
  const colon = decoded ? decoded.indexOf(":") : -1;
  if (!decoded || colon < 1) throw new OAuthError("invalid_client", "The Authorization header is not HTTP Basic with a client id and a secret.");
  const clientId = decodeForm(decoded.slice(0, colon));
  if (bodyClientId !== undefined && bodyClientId !== clientId) {
    throw new OAuthError("invalid_request", "client_id in the body is not the one in the Authorization header.");
  }
  return { clientId, clientSecret: decodeForm(decoded.slice(colon + 1)) };
}

/** Both halves are form-encoded before they are joined (RFC 6749 §2.3.1). */
function decodeForm(value: string): string {
  return new URLSearchParams(`v=${value.replaceAll("&", "%26")}`).get("v") ?? "";
}
