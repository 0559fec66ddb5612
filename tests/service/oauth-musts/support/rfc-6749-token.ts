import { accessTokenIn } from "@/tests/service/oauth-musts/support/answer";
import {
  INVALID_CLIENT,
  INVALID_CLIENT_BASIC,
  INVALID_TOKEN,
  ISSUED,
  matching,
  NOT_STORED,
  OPEN,
  refused,
} from "@/tests/service/oauth-musts/support/expectations";
import type { Must } from "@/tests/service/oauth-musts/support/must";
import { basic, REDIRECT_URI_WITH_PORT, type Scene, type TokenCall } from "@/tests/service/oauth-musts/support/scene";

const rfc = "6749";
const NO_CREDENTIALS = { client_id: undefined, client_secret: undefined };

/** What a client gets that has been allowed, and redeems its code with this about the request. */
function redeeming(
  section: string,
  must: string,
  call: TokenCall | ((scene: Scene) => TokenCall),
  expected: Must["expected"],
): Must {
  return {
    rfc,
    section,
    must,
    request: (scene) => scene.token(typeof call === "function" ? call(scene) : call),
    expected,
  };
}

const byBasic = (scene: Scene, secret = scene.cast.client.client_secret): TokenCall => ({
  fields: NO_CREDENTIALS,
  headers: basic(scene.cast.client.client_id, secret),
});

const METHODS: Must[] = ["GET", "HEAD", "PUT", "PATCH", "DELETE"].map((method) => ({
  rfc,
  section: "3.2",
  must: `the client uses POST, not ${method}`,
  request: (scene: Scene) => scene.send("/oauth/token", { method }),
  expected: { status: 405, headers: { allow: "POST, OPTIONS", "cache-control": "no-store" } },
}));

const ONCE = [
  "grant_type=authorization_code",
  "code=x",
  "redirect_uri=x",
  "client_id=x",
  "client_secret=x",
  "code_verifier=x",
  "scope=x&scope=x",
];

const PARAMETERS: Must[] = [
  redeeming("3.2", "unknown parameters are ignored", { extra: "&unknown=1&unknown=2&scope=crm:everything" }, ISSUED),
  redeeming("3.2", "an empty code counts as omitted", { fields: { code: "" } }, refused("invalid_request")),
  redeeming("3.2", "an empty grant_type counts as omitted", { fields: { grant_type: "" } }, refused("invalid_request")),
  redeeming("3.2", "an empty client_secret counts as omitted", { fields: { client_secret: "" } }, INVALID_CLIENT),
  redeeming(
    "3.2",
    "an empty client_secret beside Basic counts as omitted",
    (scene) => ({ ...byBasic(scene), extra: "&client_secret=" }),
    ISSUED,
  ),
  ...ONCE.map((extra) =>
    redeeming(
      "3.2",
      `${extra.split("=")[0]} comes once`,
      (scene) => ({ extra: `&${extra}`, code: scene.cast.origin }),
      refused("invalid_request"),
    ),
  ),
  redeeming(
    "4.1.3",
    "parameters come as a form, not as JSON",
    { headers: { "content-type": "application/json" } },
    refused("invalid_request"),
  ),
  redeeming(
    "4.1.3",
    "nor as multipart",
    { headers: { "content-type": "multipart/form-data; boundary=x" } },
    refused("invalid_request"),
  ),
  redeeming("4.1.3", "nor as text", { headers: { "content-type": "text/plain" } }, refused("invalid_request")),
  redeeming(
    "B",
    "the type may name its charset",
    { headers: { "content-type": "Application/x-www-form-urlencoded; charset=UTF-8" } },
    ISSUED,
  ),
  redeeming(
    "B",
    "escapes are decoded",
    { fields: { grant_type: undefined }, extra: "&grant%5ftype=authorization%5Fcode" },
    ISSUED,
  ),
  redeeming(
    "B",
    "what is no UTF-8 is no reason to fail",
    { code: "x", extra: "&unknown=%FF%C3" },
    refused("invalid_grant"),
  ),
  redeeming(
    "3.2",
    "a body longer than any form is refused",
    { extra: `&x=${"x".repeat(70_000)}` },
    refused("invalid_request"),
  ),
];

const AUTHENTICATION: Must[] = [
  redeeming("2.3.1", "HTTP Basic is supported", (scene) => byBasic(scene), ISSUED),
  redeeming("2.3.1", "credentials in the body are supported", {}, ISSUED),
  redeeming(
    "2.3.1",
    "the halves of Basic are form-encoded",
    (scene) =>
      byBasic(
        scene,
        scene.cast.client.client_secret.replaceAll(/[_-]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
      ),
    ISSUED,
  ),
  redeeming(
    "2.3.1",
    "the name of the scheme is case-insensitive",
    (scene) => ({
      ...byBasic(scene),
      headers: { authorization: byBasic(scene).headers?.authorization?.replace("Basic", "bASIC") ?? "" },
    }),
    ISSUED,
  ),
  redeeming(
    "2.3",
    "one way of authenticating a request",
    (scene) => ({ headers: byBasic(scene).headers ?? {} }),
    refused("invalid_request"),
  ),
  redeeming(
    "2.3",
    "nor the same secret wrong in one",
    (scene) => ({ headers: byBasic(scene, "no").headers ?? {} }),
    refused("invalid_request"),
  ),
  redeeming("2.3.1", "no secret in the URL", { query: "?client_secret=x" }, refused("invalid_request")),
  redeeming("2.3.1", "nor the client_id", { query: "?client_id=x" }, refused("invalid_request")),
  redeeming("3.2", "nor a code", { query: "?code=x" }, refused("invalid_request")),
  redeeming("3.2.1", "a client authenticates", { fields: NO_CREDENTIALS }, INVALID_CLIENT),
  redeeming(
    "3.2.1",
    "a confidential client does not get by with its id",
    { fields: { client_secret: undefined } },
    INVALID_CLIENT,
  ),
  redeeming("4.1.3", "a wrong secret is refused", { fields: { client_secret: "wrong" } }, INVALID_CLIENT),
  redeeming("4.1.3", "a secret cut short is refused", (scene) => cutSecret(scene), INVALID_CLIENT),
  redeeming("4.1.3", "another client's secret is refused", (scene) => otherSecret(scene), INVALID_CLIENT),
  redeeming(
    "4.1.3",
    "an unknown client is refused",
    { fields: { client_id: `crm_${"0".repeat(24)}` } },
    INVALID_CLIENT,
  ),
  redeeming(
    "5.2",
    "a wrong secret by Basic is challenged by Basic",
    (scene) => byBasic(scene, "wrong"),
    INVALID_CLIENT_BASIC,
  ),
  redeeming(
    "5.2",
    "another scheme is challenged too",
    { fields: NO_CREDENTIALS, headers: { authorization: "Bearer x" } },
    INVALID_CLIENT_BASIC,
  ),
  redeeming(
    "5.2",
    "so is Basic without base64",
    { fields: NO_CREDENTIALS, headers: { authorization: "Basic ???" } },
    INVALID_CLIENT_BASIC,
  ),
  redeeming(
    "5.2",
    "and Basic without a colon",
    { fields: NO_CREDENTIALS, headers: { authorization: `Basic ${btoa("x")}` } },
    INVALID_CLIENT_BASIC,
  ),
  redeeming(
    "3.2.1",
    "the client_id in the body is not another one than in the header",
    (scene) => ({ ...byBasic(scene), extra: `&client_id=${scene.cast.other.client_id}` }),
    refused("invalid_request"),
  ),
  {
    rfc,
    section: "2.3.1",
    must: "guessing a secret is stopped",
    request: async (scene) => {
      // One that is there: clients that nobody has share one count, which would stay full for the tests behind this
      // one.
      const client = { ...scene.cast.guessed, client_secret: "guess" };
      const guess = () => scene.token({ code: "x", fields: client });
      // Twenty are allowed in a window, and the guesses may fall into two of them.
      for (let count = 0; count < 40; count += 1) await guess();
      return guess();
    },
    expected: {
      status: 429,
      headers: { "retry-after": matching(/^\d+$/), ...NOT_STORED },
      body: { error: "temporarily_unavailable" },
    },
  },
];

function cutSecret({ cast }: Scene): TokenCall {
  return { fields: { client_secret: cast.client.client_secret.slice(0, -1) } };
}

function otherSecret({ cast }: Scene): TokenCall {
  return { fields: { client_secret: cast.other.client_secret } };
}

const GRANT_TYPES: Must[] = [
  redeeming(
    "4.1.3",
    "grant_type is required",
    { code: "x", fields: { grant_type: undefined } },
    refused("invalid_request"),
  ),
  ...[
    "password",
    "client_credentials",
    "refresh_token",
    "implicit",
    "urn:ietf:params:oauth:grant-type:jwt-bearer",
    "AUTHORIZATION_CODE",
  ].map((type) =>
    redeeming(
      "5.2",
      `grant_type ${type} is not supported`,
      { code: "x", fields: { grant_type: type } },
      refused("unsupported_grant_type"),
    ),
  ),
];

const CODES: Must[] = [
  redeeming("4.1.3", "a code is required", { fields: { code: undefined } }, refused("invalid_request")),
  redeeming("4.1.3", "an unknown code is refused", { code: "a".repeat(43) }, refused("invalid_grant")),
  redeeming(
    "4.1.3",
    "a code of another client is refused",
    (scene) => ({ fields: { ...scene.cast.other } }),
    refused("invalid_grant"),
  ),
  redeeming(
    "4.1.3",
    "redirect_uri is there, since the first request had it",
    { fields: { redirect_uri: undefined } },
    refused("invalid_request"),
  ),
  redeeming("4.1.3", "and the same", { fields: { redirect_uri: "https://evil.example/" } }, refused("invalid_grant")),
  redeeming(
    "10.6",
    "another registered one is not",
    { fields: { redirect_uri: REDIRECT_URI_WITH_PORT } },
    refused("invalid_grant"),
  ),
  {
    rfc,
    section: "4.1.2",
    must: "a code expires",
    request: async (scene) => {
      const code = await scene.code();
      await scene.expire("oauth_codes", code);
      return scene.token({ code });
    },
    expected: refused("invalid_grant"),
  },
  {
    rfc,
    section: "4.1.2",
    must: "a code is good once, and its second use ends the token that it gave",
    request: (scene) => replay(scene, {}),
    expected: [OPEN, refused("invalid_grant"), INVALID_TOKEN],
  },
  {
    rfc,
    section: "4.1.2",
    must: "a second use without the secret ends nothing",
    request: (scene) => replay(scene, { fields: { client_secret: "wrong" } }),
    expected: [OPEN, INVALID_CLIENT, OPEN],
  },
  {
    rfc,
    section: "4.1.2",
    must: "nor one without the verifier",
    request: (scene) => replay(scene, { fields: { code_verifier: "w".repeat(43) } }),
    expected: [OPEN, refused("invalid_grant"), OPEN],
  },
  {
    rfc,
    section: "4.1.2",
    must: "nor one by another client",
    request: (scene) => replay(scene, { fields: scene.cast.other as never }),
    expected: [OPEN, refused("invalid_grant"), OPEN],
  },
  {
    rfc,
    section: "10.5",
    must: "a code is good once among many at the same time",
    request: async (scene) => {
      const code = await scene.code();
      const answers = await Promise.all(Array.from({ length: 8 }, () => scene.token({ code })));
      return answers.toSorted((a, b) => a.status - b.status);
    },
    expected: [ISSUED, ...Array.from({ length: 7 }, () => refused("invalid_grant"))],
  },
  {
    rfc,
    section: "4.1.3",
    must: "a refusal does not use up the code",
    request: async (scene) => {
      const code = await scene.code();
      return [
        await scene.token({ code, fields: { redirect_uri: "https://evil.example/" } }),
        await scene.token({ code }),
      ];
    },
    expected: [refused("invalid_grant"), ISSUED],
  },
  redeeming(
    "5.1",
    "a token comes as JSON, is not stored, and says its type and life",
    {},
    {
      status: 200,
      headers: { ...NOT_STORED, "content-type": matching("^application/json") },
      body: { token_type: "Bearer", expires_in: 3600, scope: "crm:read" },
    },
  ),
  {
    rfc,
    section: "10.3",
    must: "a token cannot be changed into another one",
    request: async (scene) => {
      const token = await scene.accessToken();
      return [
        await scene.api(`Bearer ${token.slice(0, -1)}`),
        await scene.api(`Bearer ${token}A`),
        await scene.api(`Bearer ${token}`),
      ];
    },
    expected: [INVALID_TOKEN, INVALID_TOKEN, OPEN],
  },
];

/** Uses a code, calls the API, uses it again with something about it, and calls the API once more. */
async function replay(scene: Scene, again: TokenCall) {
  const code = await scene.code();
  const bearer = `Bearer ${accessTokenIn(await scene.token({ code }))}`;
  return [await scene.api(bearer), await scene.token({ code, ...again }), await scene.api(bearer)];
}

export const RFC_6749_TOKEN: Must[] = [METHODS, PARAMETERS, AUTHENTICATION, GRANT_TYPES, CODES].flat();
