import { SCOPES } from "@/lib/context";
import { env } from "@/lib/env";
import { resourceIdentifier, type ResourcePath } from "@/lib/oauth/protected-resources";
import { PRODUCT_NAME } from "@/lib/brand";

const CLIENT_AUTHENTICATION = ["client_secret_post", "client_secret_basic"];

/**
 * The metadata of the authorization server (RFC 8414 §2). Fields are spelled out where their defaults include something
 * that we refuse.
 */
export function authorizationServerMetadata() {
  return {
    issuer: env.APP_URL,
    authorization_endpoint: `${env.APP_URL}/oauth/authorize`,
    token_endpoint: `${env.APP_URL}/oauth/token`,
    revocation_endpoint: `${env.APP_URL}/oauth/revoke`,
    scopes_supported: SCOPES,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code"],
    token_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
    revocation_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
    protected_resources: [resourceIdentifier(""), resourceIdentifier("/api/v1"), resourceIdentifier("/api/mcp")],
  };
}

const RESOURCE_NAMES: Record<ResourcePath, string> = {
  "": PRODUCT_NAME,
  "/api/v1": `${PRODUCT_NAME}: REST API`,
  "/api/mcp": `${PRODUCT_NAME}: MCP server`,
};

/** The metadata of a protected resource (RFC 9728 §2). */
export function protectedResourceMetadata(path: ResourcePath) {
  return {
    resource: resourceIdentifier(path),
    resource_name: RESOURCE_NAMES[path],
    authorization_servers: [env.APP_URL],
    scopes_supported: SCOPES,
    bearer_methods_supported: ["header"],
  };
}
