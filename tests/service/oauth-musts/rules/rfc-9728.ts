import { challenge, ISSUER, matching } from "@/tests/service/oauth-musts/support/expectations";
import type { Must } from "@/tests/service/oauth-musts/support/must";

const rfc = "9728";
const PATH = "/.well-known/oauth-protected-resource";
const PATHS = ["", "/api/v1", "/api/mcp"];
const EXACT = ["authorization_servers", "bearer_methods_supported", "resource", "resource_name", "scopes_supported"];

const DOCUMENTS: Must[] = PATHS.flatMap((path): Must[] => [
  {
    rfc,
    section: "3.3",
    must: `the document for “${path || "/"}” is about the resource that its address is made of`,
    request: (scene) => scene.send(PATH + path),
    expected: {
      status: 200,
      headers: { "content-type": matching("^application/json") },
      body: { resource: `${ISSUER}${path}` },
    },
  },
  {
    rfc,
    section: "2",
    must: `the document for “${path || "/"}” names the authorization server, its scopes and how a token is sent`,
    request: (scene) => scene.send(PATH + path),
    expected: {
      body: {
        authorization_servers: [ISSUER],
        scopes_supported: ["crm:read", "crm:write", "erp:read"],
        bearer_methods_supported: ["header"],
      },
    },
  },
  {
    rfc,
    section: "3.2",
    must: `the document for “${path || "/"}” holds these members and no empty one`,
    request: async (scene) => {
      const answer = await scene.send(PATH + path);
      return { ...answer, body: Object.keys(answer.body as object).toSorted() };
    },
    expected: { body: EXACT },
  },
]);

const UNKNOWN: Must[] = ["/api", "/api/v2", "/api/v1/accounts", "/API/v1", "/api/v1x", "/oauth", "/api//v1"].map(
  (path) => ({
    rfc,
    section: "3.1",
    must: `there is no document for ${path}, which is no resource`,
    request: (scene) => scene.send(PATH + path),
    // Next redirects two slashes to one, which gives the document of another address.
    expected: { status: path.includes("//") ? 308 : 404 },
  }),
);

export const RFC_9728: Must[] = [
  ...DOCUMENTS,
  ...UNKNOWN,
  {
    rfc,
    section: "3.3",
    must: "a false Host does not change the resource",
    request: (scene) =>
      scene.sendRaw("GET", `${PATH}/api/v1`, { host: "evil.example", "x-forwarded-host": "evil.example" }),
    expected: { status: 200, body: { resource: `${ISSUER}/api/v1`, authorization_servers: [ISSUER] } },
  },
  {
    rfc,
    section: "5.1",
    must: "a false Host does not change the URL in a challenge",
    request: (scene) => {
      const headers = { host: "evil.example", "x-forwarded-host": "evil.example", authorization: "Bearer x" };
      return scene.sendRaw("GET", "/api/v1/accounts", headers);
    },
    expected: { status: 401, headers: { "www-authenticate": challenge("invalid_token") } },
  },
  {
    rfc,
    section: "5.1",
    must: "the address in a challenge leads to the document of that resource",
    request: async (scene) => {
      const { headers } = await scene.send("/api/v1/accounts");
      return scene.send(/resource_metadata="([^"]+)"/.exec(headers["www-authenticate"] ?? "")?.[1] ?? "");
    },
    expected: { status: 200, body: { resource: `${ISSUER}/api/v1` } },
  },
  {
    rfc,
    section: "3.1",
    must: "GET gets it from any origin",
    request: (scene) => scene.send(`${PATH}/api/v1`, { headers: { origin: "https://app.example" } }),
    expected: {
      status: 200,
      headers: { "access-control-allow-origin": "*", "access-control-allow-credentials": null },
    },
  },
  {
    rfc,
    section: "3.1",
    must: "HEAD gets its headers",
    request: (scene) => scene.send(`${PATH}/api/v1`, { method: "HEAD" }),
    expected: { status: 200, body: "" },
  },
  {
    rfc,
    section: "3.1",
    must: "pages of any origin may ask before",
    request: (scene) => scene.send(`${PATH}/api/v1`, { method: "OPTIONS", headers: { origin: "https://app.example" } }),
    expected: { status: 204, headers: { "access-control-allow-origin": "*" } },
  },
  {
    rfc,
    section: "3.1",
    must: "other methods are refused",
    request: (scene) => scene.send(`${PATH}/api/v1`, { method: "DELETE" }),
    expected: { status: 405, headers: { allow: "GET, HEAD, OPTIONS" } },
  },
];
