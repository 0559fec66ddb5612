import { challenge, INVALID_TOKEN, ISSUER, matching, OPEN } from "@/tests/service/oauth-musts/support/expectations";
import type { Must } from "@/tests/service/oauth-musts/support/must";
import type { Changes, Scene } from "@/tests/service/oauth-musts/support/scene";

const rfc = "6750";
const ACCOUNTS = "/api/v1/accounts?limit=1";
const METADATA = `resource_metadata="${ISSUER}/.well-known/oauth-protected-resource`;

/** A rule about the API's answer to a new token that is sent like this. */
function presenting(
  section: string,
  must: string,
  call: (scene: Scene, token: string) => ReturnType<Scene["send"]>,
  expected: Must["expected"],
): Must {
  return { rfc, section, must, request: async (scene) => call(scene, await scene.accessToken()), expected };
}

function calling(
  section: string,
  must: string,
  headers: Record<string, string>,
  expected: Must["expected"],
  path = ACCOUNTS,
): Must {
  return { rfc, section, must, request: (scene) => scene.send(path, { headers }), expected };
}

const BAD_REQUEST = { status: 400, headers: { "www-authenticate": challenge("invalid_request") } };

/** A refusal without an error code, because no token was sent (§3.1). */
const NO_TOKEN = {
  status: 401,
  headers: { "www-authenticate": `Bearer scope="crm:read crm:write erp:read", ${METADATA}/api/v1"` },
};

const WAYS: Must[] = [
  presenting("2.1", "the Authorization header is supported", (scene, token) => scene.api(`Bearer ${token}`), OPEN),
  presenting("2.1", "the name of the scheme is case-insensitive", (scene, token) => scene.api(`bEARER ${token}`), OPEN),
  presenting(
    "2",
    "a token in both header and query is refused",
    (scene, token) => scene.api(`Bearer ${token}`, `${ACCOUNTS}&access_token=${token}`),
    BAD_REQUEST,
  ),
  presenting(
    "2.3",
    "a token in the URL is refused",
    (scene, token) => scene.send(`${ACCOUNTS}&access_token=${token}`),
    BAD_REQUEST,
  ),
  presenting(
    "2.3",
    "a token in the URL under a percent-encoded name is refused",
    (scene, token) => scene.send(`${ACCOUNTS}&access%5Ftoken=${token}`),
    BAD_REQUEST,
  ),
  presenting(
    "2.2",
    "a token in a form is ignored",
    (scene, token) => scene.postForm("/api/v1/migration/analyze", `access_token=${token}`),
    NO_TOKEN,
  ),
  presenting(
    "2.1",
    "a session does not make up for an invalid token",
    (scene, token) => withSession(scene, `Bearer ${token}x`),
    INVALID_TOKEN,
  ),
];

function withSession(scene: Scene, authorization: string) {
  return scene.send(ACCOUNTS, { headers: { authorization, cookie: scene.actors.browser.cookieHeader() } });
}

const CHALLENGES: Must[] = [
  calling("3", "a refusal without credentials says Bearer, and names no error", {}, NO_TOKEN),
  calling("3.1", "credentials of another scheme are not a token", { authorization: "Basic eDp5" }, NO_TOKEN),
  calling("3.1", "a longer name of a scheme is not Bearer", { authorization: "Bearers x" }, NO_TOKEN),
  calling("3.1", "an unknown token is invalid", { authorization: `Bearer ${"a".repeat(43)}` }, INVALID_TOKEN),
  calling("3.1", "an empty token is invalid", { authorization: "Bearer" }, INVALID_TOKEN),
  calling("3.1", "two words are", { authorization: "Bearer a b" }, INVALID_TOKEN),
  calling("2.1", "characters beyond b64token are", { authorization: 'Bearer "x"' }, INVALID_TOKEN),
  calling(
    "3",
    "each attribute occurs once",
    { authorization: "Bearer x" },
    { headers: { "www-authenticate": matching(ATTRIBUTES_ONCE()) } },
  ),
  {
    rfc,
    section: "3.1",
    must: "an expired token is invalid",
    request: async (scene) => {
      const token = await scene.accessToken();
      await scene.expire("oauth_tokens", token);
      return scene.api(`Bearer ${token}`);
    },
    expected: INVALID_TOKEN,
  },
  {
    rfc,
    section: "3.1",
    must: "a revoked token is invalid",
    request: async (scene) => {
      const token = await scene.accessToken();
      await scene.revoke({ token });
      return scene.api(`Bearer ${token}`);
    },
    expected: INVALID_TOKEN,
  },
];

/** `error`, `error_description`, `scope` and `resource_metadata`, each once and quoted. */
function ATTRIBUTES_ONCE(): RegExp {
  return /^Bearer error="[^"\\]+", error_description="[^"\\]+", scope="[^"\\]+", resource_metadata="[^"\\]+"$/;
}

/** A rule about a call with a token of these scopes. */
function withScope(
  must: string,
  scope: string,
  path: string,
  method: string,
  expected: Must["expected"],
  section = "3.1",
): Must {
  const changes: Changes = { scope };
  return {
    rfc,
    section,
    must,
    request: async (scene) => {
      const headers = {
        authorization: `Bearer ${await scene.accessToken(changes)}`,
        "content-type": "application/json",
      };
      return scene.send(path, { method, headers, ...(method === "POST" && { body: "{}" }) });
    },
    expected,
  };
}

function lacking(scope: string) {
  const names = matching(
    `^Bearer error="insufficient_scope", error_description="[^"\\\\]+", scope="${scope}", ${METADATA}/api/v1"$`,
  );
  return { status: 403, headers: { "www-authenticate": names }, body: { code: "insufficient_scope" } };
}

const SCOPES: Must[] = [
  withScope(
    "a read-only token cannot write, and the challenge names the scope",
    "crm:read",
    "/api/v1/migration/analyze",
    "POST",
    lacking("crm:write"),
  ),
  withScope(
    "a token for products cannot read accounts, and the challenge names the scope",
    "erp:read",
    "/api/v1/accounts",
    "GET",
    lacking("crm:read"),
  ),
  withScope("a token for products reads products", "erp:read", "/api/v1/products", "GET", OPEN),
];

/** §5.2 and §5.3: a token is valid only for the resources that it was granted for. */
const AUDIENCE: Must[] = [
  { resource: "/api/mcp", expected: INVALID_TOKEN, must: "the REST API takes no token that is for the MCP server" },
  { resource: "/api/v1", expected: OPEN, must: "the REST API takes its own token" },
  { resource: "", expected: OPEN, must: "a token for the whole service is accepted" },
].map(({ resource, expected, must }) => ({
  rfc,
  section: "5.2",
  must,
  request: async (scene: Scene) => scene.api(`Bearer ${await scene.accessToken({ resource: ISSUER + resource })}`),
  expected,
}));

export const RFC_6750: Must[] = [WAYS, CHALLENGES, SCOPES, AUDIENCE].flat();
