import type { OauthClient } from "@/lib/oauth/clients/client-schema";

/** The client in an example, and the service that it talks to. */
export interface ExampleClient {
  /** The origin of the service. */
  service: string;
  clientId: string;
  /** Null when the secret is no longer known. */
  clientSecret: string | null;
  redirectUri: string;
  scopes: OauthClient["scopes"];
}

/** The reader replaces it by the secret. */
export const SECRET_PLACEHOLDER = "PUT-THE-CLIENT-SECRET-HERE";

/** A list that each of the scopes allows to read. */
export function exampleList(scopes: ExampleClient["scopes"]): "accounts" | "products" {
  return scopes.every((scope) => scope === "erp:read") ? "products" : "accounts";
}
