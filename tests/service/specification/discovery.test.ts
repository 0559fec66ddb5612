import { describe, expect, test } from "vitest";

import { demo } from "@/tests/service/specification/support/service";

async function metadata(name: string): Promise<Record<string, unknown>> {
  const response = await fetch(`${demo.base_url}/.well-known/${name}`);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toMatch(/^application\/json/);
  return (await response.json()) as Record<string, unknown>;
}

describe("4. and 5. Discovery", () => {
  test("GET /.well-known/oauth-authorization-server: endpoints, supported grants, scopes", async () => {
    expect(await metadata("oauth-authorization-server")).toMatchObject({
      issuer: demo.base_url,
      authorization_endpoint: `${demo.base_url}/oauth/authorize`,
      token_endpoint: `${demo.base_url}/oauth/token`,
      response_types_supported: ["code"],
      grant_types_supported: ["authorization_code"],
      code_challenge_methods_supported: ["S256"],
      scopes_supported: ["crm:read", "crm:write", "erp:read"],
    });
  });

  test("the client authenticates by client_secret in the form", async () => {
    const { token_endpoint_auth_methods_supported } = await metadata("oauth-authorization-server");
    expect(token_endpoint_auth_methods_supported).toContain("client_secret_post");
  });

  test("GET /.well-known/oauth-protected-resource: resource URL, required scopes", async () => {
    expect(await metadata("oauth-protected-resource")).toMatchObject({
      resource: demo.base_url,
      authorization_servers: [demo.base_url],
      scopes_supported: ["crm:read", "crm:write", "erp:read"],
    });
  });

  test("a refused request of the API leads to the protected resource metadata", async () => {
    const response = await fetch(`${demo.base_url}/api/v1/opportunities`);
    const [, url] = /resource_metadata="([^"]+)"/.exec(response.headers.get("www-authenticate") ?? "") ?? [];
    expect(await (await fetch(url ?? "")).json()).toMatchObject({ authorization_servers: [demo.base_url] });
  });
});
