import type { OauthClient } from "@/lib/oauth/clients/client-schema";

/** What an example is made of: one client, and the service that it talks to. */
export interface ExampleClient {
  /** The origin of the service. */
  service: string;
  clientId: string;
  /** Null where the secret is not known any more. */
  clientSecret: string | null;
  redirectUri: string;
  scopes: OauthClient["scopes"];
}

/** Stands where the reader puts in the secret. */
export const SECRET_PLACEHOLDER = "PUT-THE-CLIENT-SECRET-HERE";

/** A list that every one of the scopes opens. */
export function exampleList(scopes: ExampleClient["scopes"]): "accounts" | "products" {
  return scopes.every((scope) => scope === "erp:read") ? "products" : "accounts";
}
