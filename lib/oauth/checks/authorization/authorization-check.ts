import type { Client } from "@/lib/oauth/find-client";
import type { Parameters } from "@/lib/oauth/parameters";

/** One rule for an authorization request whose redirect URI is trusted. Throws an OAuthError, which travels back to the client. */
export type AuthorizationCheck = (parameters: Parameters, client: Client) => void;
