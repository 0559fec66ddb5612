import { ISSUER, matching } from "@/tests/service/oauth-musts/support/expectations";
import type { Must } from "@/tests/service/oauth-musts/support/must";

const rfc = "8414";
const PATH = "/.well-known/oauth-authorization-server";
const MEMBERS = [
  "authorization_endpoint",
  "authorization_response_iss_parameter_supported",
  "code_challenge_methods_supported",
  "grant_types_supported",
  "issuer",
  "protected_resources",
  "response_modes_supported",
  "response_types_supported",
  "revocation_endpoint",
  "revocation_endpoint_auth_methods_supported",
  "scopes_supported",
  "token_endpoint",
  "token_endpoint_auth_methods_supported",
];
const LIE = "evil.example";

function describing(section: string, must: string, body: unknown): Must {
  return { rfc, section, must, request: (scene) => scene.send(PATH), expected: { status: 200, body } };
}

export const RFC_8414: Must[] = [
  describing("2", "the issuer is its identifier, without query, fragment or trailing slash", { issuer: ISSUER }),
  describing("2", "there is an authorization endpoint", { authorization_endpoint: `${ISSUER}/oauth/authorize` }),
  describing("2", "there is a token endpoint", { token_endpoint: `${ISSUER}/oauth/token` }),
  describing("2", "response types are listed", { response_types_supported: ["code"] }),
  describing("2", "response modes are listed, because the default includes the fragment", {
    response_modes_supported: ["query"],
  }),
  describing("2", "grant types are listed, because the default includes the implicit one", {
    grant_types_supported: ["authorization_code"],
  }),
  describing("2", "authentication methods are listed", {
    token_endpoint_auth_methods_supported: ["client_secret_post", "client_secret_basic"],
  }),
  describing("2", "authentication methods of the revocation endpoint are listed", {
    revocation_endpoint: `${ISSUER}/oauth/revoke`,
    revocation_endpoint_auth_methods_supported: ["client_secret_post", "client_secret_basic"],
  }),
  describing("2", "PKCE is announced, without plain", { code_challenge_methods_supported: ["S256"] }),
  describing("2", "scopes are listed", { scopes_supported: ["crm:read", "crm:write", "erp:read"] }),
  {
    rfc,
    section: "2",
    must: "nothing unsupported is announced: no registration, no introspection",
    request: async (scene) => {
      const answer = await scene.send(PATH);
      return { ...answer, body: Object.keys(answer.body as object).toSorted() };
    },
    expected: { body: MEMBERS },
  },
  {
    rfc,
    section: "3.2",
    must: "members without elements are left out",
    request: async (scene) => {
      const answer = await scene.send(PATH);
      return {
        ...answer,
        body: Object.values(answer.body as object).filter(
          (value) => value === null || (value as { length?: number }).length === 0,
        ),
      };
    },
    expected: { body: [] },
  },
  {
    rfc,
    section: "3.1",
    must: "GET gets it",
    request: (scene) => scene.send(PATH),
    expected: { status: 200, headers: { "content-type": matching("^application/json") } },
  },
  {
    rfc,
    section: "3.1",
    must: "HEAD gets its headers",
    request: (scene) => scene.send(PATH, { method: "HEAD" }),
    expected: { status: 200, headers: { "content-type": matching("^application/json") }, body: "" },
  },
  {
    rfc,
    section: "3.1",
    must: "other methods are refused",
    request: (scene) => scene.send(PATH, { method: "POST" }),
    expected: { status: 405, headers: { allow: "GET, HEAD, OPTIONS" } },
  },
  {
    rfc,
    section: "3.1",
    must: "an issuer with a path is another issuer, which does not exist",
    request: (scene) => scene.send(`${PATH}/tenant`),
    expected: { status: 404 },
  },
  {
    rfc,
    section: "3.3",
    must: "a false Host does not change the issuer",
    request: (scene) => scene.sendRaw("GET", PATH, { host: LIE }),
    expected: {
      status: 200,
      body: {
        issuer: ISSUER,
        token_endpoint: `${ISSUER}/oauth/token`,
        authorization_endpoint: `${ISSUER}/oauth/authorize`,
      },
    },
  },
  {
    rfc,
    section: "3.3",
    must: "headers of a proxy do not change the issuer",
    request: (scene) =>
      scene.send(PATH, {
        headers: { "x-forwarded-host": LIE, "x-forwarded-proto": "gopher", forwarded: `host=${LIE};proto=gopher` },
      }),
    expected: { status: 200, body: { issuer: ISSUER, token_endpoint: `${ISSUER}/oauth/token` } },
  },
  {
    rfc,
    section: "3.3",
    must: "a false Host does not change the iss of an answer",
    request: (scene) => {
      const headers = { host: LIE, "x-forwarded-host": LIE, cookie: scene.actors.browser.cookieHeader() };
      return scene.sendRaw("GET", scene.authorizePath({ response_type: "token" }), headers);
    },
    expected: { status: 303, returned: { iss: ISSUER, error: "unsupported_response_type" } },
  },
  {
    rfc,
    section: "3",
    must: "pages of any origin may read it",
    request: (scene) => scene.send(PATH, { headers: { origin: "https://app.example" } }),
    expected: {
      status: 200,
      headers: { "access-control-allow-origin": "*", "access-control-allow-credentials": null },
    },
  },
  {
    rfc,
    section: "3",
    must: "pages of any origin may send a preflight request",
    request: (scene) =>
      scene.send(PATH, {
        method: "OPTIONS",
        headers: { origin: "https://app.example", "access-control-request-method": "GET" },
      }),
    expected: { status: 204, headers: { "access-control-allow-origin": "*", "access-control-allow-methods": "GET" } },
  },
];
