import { ASKED, ISSUED, matching, PAGE, toClient } from "@/tests/service/oauth-musts/support/expectations";
import type { Must } from "@/tests/service/oauth-musts/support/must";
import { type Changes, REDIRECT_URI, REDIRECT_URI_WITH_QUERY } from "@/tests/service/oauth-musts/support/scene";

const rfc = "6749";

/** A rule about an otherwise valid authorization request with these parameters. */
function authorizing(section: string, must: string, changes: Changes, expected: Must["expected"], extra = ""): Must {
  return { rfc, section, must, request: (scene) => scene.authorize(changes, extra), expected };
}

const METHODS: Must[] = [
  authorizing("3.1", "GET is supported", {}, ASKED),
  {
    rfc,
    section: "3.1",
    must: "the resource owner is identified first",
    request: (scene) => scene.send(scene.authorizePath()),
    expected: { status: 303, location: matching(/^\/sign-in\?next=%2Foauth%2Fauthorize%3Fclient_id%3D/) },
  },
  {
    rfc,
    section: "3.1",
    must: "the endpoint has no fragment",
    request: (scene) => scene.send("/.well-known/oauth-authorization-server"),
    expected: { body: { authorization_endpoint: matching(/^[^#]+$/), token_endpoint: matching(/^[^#]+$/) } },
  },
  {
    rfc,
    section: "3.1",
    must: "another method has no effect, and Allow lists the right ones",
    request: (scene) => scene.postForm("/oauth/authorize", scene.authorizePath().split("?")[1] ?? ""),
    expected: { status: 405, headers: { allow: "GET, HEAD, OPTIONS" } },
  },
];

const PARAMETERS: Must[] = [
  authorizing("3.1", "an empty scope counts as omitted", { scope: "" }, ASKED),
  authorizing(
    "3.1",
    "an empty state counts as omitted",
    { state: "", response_type: "token" },
    toClient("unsupported_response_type", null),
  ),
  authorizing("3.1", "an empty response_type counts as omitted", { response_type: "" }, toClient("invalid_request")),
  authorizing("3.1", "an empty response_mode counts as omitted", { response_mode: "" }, ASKED),
  authorizing("3.1", "an empty client_id counts as omitted", { client_id: "" }, PAGE),
  authorizing("3.1", "an empty redirect_uri counts as omitted", { redirect_uri: "" }, PAGE),
  authorizing("3.1", "unknown parameters are ignored", {}, ASKED, "&unknown=1&access_type=offline&__proto__=1"),
  authorizing("3.1", "unknown parameters are ignored however often they come", {}, ASKED, "&unknown=1&unknown=2"),
  authorizing("3.1", "response_type comes once", {}, toClient("invalid_request"), "&response_type=code"),
  authorizing(
    "3.1",
    "response_mode comes once",
    {},
    toClient("invalid_request"),
    "&response_mode=query&response_mode=query",
  ),
  authorizing("3.1", "scope comes once", {}, toClient("invalid_request"), "&scope=crm:read"),
  authorizing(
    "3.1",
    "state comes once; of two, none is returned",
    {},
    toClient("invalid_request", null),
    "&state=other",
  ),
  authorizing(
    "3.1",
    "a percent-encoded name is the same name",
    {},
    toClient("invalid_request", null),
    "&st%61te=other",
  ),
  authorizing("3.1", "code_challenge comes once", {}, toClient("invalid_request"), "&code_challenge=x"),
  authorizing(
    "3.1",
    "code_challenge_method comes once",
    {},
    toClient("invalid_request"),
    "&code_challenge_method=S256",
  ),
  authorizing("3.1", "client_id comes once", {}, PAGE, "&client_id=crm_000000000000000000000000"),
  authorizing(
    "3.1",
    "redirect_uri comes once, even twice the same",
    {},
    PAGE,
    `&redirect_uri=${encodeURIComponent(REDIRECT_URI)}`,
  ),
];

const RESPONSE_TYPES: Must[] = [
  authorizing("3.1.1", "response_type is required", { response_type: undefined }, toClient("invalid_request")),
  ...["token", "id_token", "none", "code token", "token code", "CODE", "code ", "codes"].map((type) =>
    authorizing(
      "3.1.1",
      `response_type “${type}” is not supported`,
      { response_type: type },
      toClient("unsupported_response_type"),
    ),
  ),
];

const RESPONSE_MODES: Must[] = [
  authorizing("4.1.2", "the answer is in the query", { response_mode: "query" }, ASKED),
  ...["fragment", "form_post", "query.jwt", "QUERY"].map((mode) =>
    authorizing(
      "4.1.2",
      `an answer in another place is refused: ${mode}`,
      { response_mode: mode },
      toClient("invalid_request"),
    ),
  ),
];

const CLIENTS: Must[] = [
  authorizing("4.1.1", "client_id is required", { client_id: undefined }, PAGE),
  authorizing(
    "4.1.2.1",
    "an unknown client gives an error page without a redirect",
    { client_id: `crm_${"0".repeat(24)}` },
    PAGE,
  ),
  authorizing("4.1.2.1", "a client_id of another form neither", { client_id: "crm_\u0000'; --" }, PAGE),
  authorizing(
    "2.2",
    "a client_id in other letters is another one",
    { client_id: "CRM_000000000000000000000000" },
    PAGE,
  ),
];

const SCOPES: Must[] = [
  authorizing("3.3", "scopes are separated by single spaces", { scope: "crm:read erp:read" }, ASKED),
  authorizing("3.3", "their order does not matter", { scope: "erp:read crm:read" }, ASKED),
  authorizing("3.3", "an unknown scope is invalid", { scope: "crm:read crm:everything" }, toClient("invalid_scope")),
  authorizing("3.3", "scopes are case-sensitive", { scope: "CRM:read" }, toClient("invalid_scope")),
  authorizing("3.3", "a scope is not malformed: no comma", { scope: "crm:read,erp:read" }, toClient("invalid_scope")),
  authorizing(
    "3.3",
    "a scope with a double space is malformed",
    { scope: "crm:read  erp:read" },
    toClient("invalid_scope"),
  ),
  authorizing(
    "3.3",
    "a scope that the client was not registered for is invalid",
    { scope: "crm:write" },
    toClient("invalid_scope"),
  ),
  {
    rfc,
    section: "3.3",
    must: "without scope a default is granted, which the token answer contains",
    request: async (scene) => scene.token({ code: await scene.code({ scope: undefined }) }),
    expected: { ...ISSUED, body: { scope: "crm:read erp:read" } },
  },
];

const REDIRECTS: Must[] = [
  {
    rfc,
    section: "3.1.2",
    must: "the query of the redirect URI is kept with a code",
    request: (scene) => scene.allow({ redirect_uri: REDIRECT_URI_WITH_QUERY }),
    expected: {
      status: 303,
      location: matching(/^https:\/\/client\.example\/callback\?kept=1&kept=%C3%A9%2F&code=[\w-]{43,}&state=xyz&iss=/),
    },
  },
  authorizing(
    "3.1.2",
    "the query of the redirect URI is kept with an error",
    { redirect_uri: REDIRECT_URI_WITH_QUERY, response_type: "token" },
    {
      status: 303,
      location: matching(
        /^https:\/\/client\.example\/callback\?kept=1&kept=%C3%A9%2F&error=unsupported_response_type&/,
      ),
    },
  ),
  authorizing(
    "3.1.2.3",
    "of several registered redirect URIs the request names one",
    { redirect_uri: undefined },
    PAGE,
  ),
  ...[
    "/relative",
    "client.example/callback",
    "https://client.example/callback#here",
    "https://client.example/#",
    "urn:x:y",
    "javascript:alert(1)",
  ].map((uri): Must => ({
    rfc,
    section: "3.1.2",
    must: `“${uri}” is not registered: a redirect URI is absolute and has no fragment`,
    request: (scene) => scene.register(uri),
    expected: { status: 400, body: { code: "invalid_request" } },
  })),
];

const COMPARED: readonly [what: string, uri: string][] = [
  ["another path", "https://client.example/other"],
  ["another host", "https://evil.example/callback"],
  ["a subdomain", "https://www.client.example/callback"],
  ["a host that begins alike", "https://client.example.evil.example/callback"],
  ["another scheme", "http://client.example/callback"],
  ["an explicit default port", "https://client.example:443/callback"],
  ["another port", "https://client.example:8443/callback"],
  ["another port of loopback", "http://127.0.0.1:53683/callback"],
  ["another name of loopback", "http://localhost:53682/callback"],
  ["a host in capitals", "https://CLIENT.example/callback"],
  ["a path in capitals", "https://client.example/Callback"],
  ["a trailing slash", "https://client.example/callback/"],
  ["dots in the path", "https://client.example/x/../callback"],
  ["an escaped letter", "https://client.example/%63allback"],
  ["something added", "https://client.example/callback.evil.example"],
  ["a query added", "https://client.example/callback?x=1"],
  ["an empty query", "https://client.example/callback?"],
  ["its own query in other words", "https://client.example/callback?kept=1&kept=%c3%a9%2f"],
  ["a fragment", "https://client.example/callback#x"],
  ["a user", "https://evil.example@client.example/callback"],
  ["a backslash", "https://client.example\\@evil.example/callback"],
  ["a space before", " https://client.example/callback"],
  ["a line break after", "https://client.example/callback\r\nset-cookie: x=1"],
  ["a null byte", "https://client.example/callback\u0000"],
];

const COMPARISON: Must[] = COMPARED.map(([what, uri]) =>
  authorizing(
    "3.1.2.3",
    `a redirect URI is compared as a string: ${what} is another one, never redirected to`,
    { redirect_uri: uri },
    PAGE,
  ),
);

export const RFC_6749_AUTHORIZATION: Must[] = [
  METHODS,
  PARAMETERS,
  RESPONSE_TYPES,
  RESPONSE_MODES,
  CLIENTS,
  SCOPES,
  REDIRECTS,
  COMPARISON,
].flat();
