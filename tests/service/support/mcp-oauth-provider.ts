import { randomBytes } from "node:crypto";

import type {
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from "@modelcontextprotocol/client";

/**
 * What an MCP host stores for one connection: a client that a person registered in the settings and pasted in, and the
 * results of the flow.
 */
export class PastedClient implements OAuthClientProvider {
  readonly redirectUrl: string;
  readonly #client: { client_id: string; client_secret: string };
  readonly #state = randomBytes(16).toString("base64url");
  #verifier = "";
  #tokens: StoredOAuthTokens | undefined;
  #discovered: OAuthDiscoveryState | undefined;
  /** Where to redirect the person's browser. */
  authorizationUrl: URL | undefined;

  constructor(client: { client_id: string; client_secret: string }, redirectUrl: string) {
    this.#client = client;
    this.redirectUrl = redirectUrl;
  }

  get clientMetadata(): OAuthClientMetadata {
    return { client_name: "MCP host", redirect_uris: [this.redirectUrl] };
  }

  state(): string {
    return this.#state;
  }

  clientInformation(): StoredOAuthClientInformation {
    return this.#client;
  }

  tokens(): StoredOAuthTokens | undefined {
    return this.#tokens;
  }

  saveTokens(tokens: StoredOAuthTokens): void {
    this.#tokens = tokens;
  }

  redirectToAuthorization(url: URL): void {
    this.authorizationUrl = url;
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.#discovered = state;
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovered;
  }
}
