import {
  ISSUED,
  matching,
  PAGE,
  refused,
  toClient,
  UNFRAMEABLE,
} from "@/tests/service/oauth-musts/support/expectations";
import type { Must } from "@/tests/service/oauth-musts/support/must";
import { VERIFIER } from "@/tests/service/oauth-musts/support/scene";

const rfc = "9700";
const ELSEWHERE = { origin: "https://app.example", "access-control-request-method": "GET" };
const TO_SIGN_IN = { status: 303, location: matching(/^\/sign-in\?next=/) };

const REGISTRATIONS: readonly [what: string, uri: string, status: number][] = [
  ["http beyond this machine is no redirect URI", "http://client.example/callback", 400],
  ["http on loopback is one", "http://127.0.0.1:1234/callback", 201],
  ["https is one", "https://client.example/other?own=1", 201],
  ["a wildcard in the host is none", "https://*.client.example/callback", 400],
  ["a user in the address is none", "https://user@client.example/callback", 400],
];

const REDIRECT_URIS: Must[] = REGISTRATIONS.map(([must, uri, status]) => ({
  rfc,
  section: uri.includes("*") ? "4.1.3" : "2.6",
  must,
  request: (scene) => scene.register(uri),
  expected: { status },
}));

const OPEN_REDIRECTS: Must[] = [
  {
    rfc,
    section: "4.11.2",
    must: "nobody is redirected to a client before sign-in, even with an error",
    request: async (scene) => [
      await scene.send(scene.authorizePath({ response_type: "token" })),
      await scene.send(scene.authorizePath({ scope: "x" })),
      await scene.send(scene.authorizePath({ code_challenge: undefined })),
    ],
    expected: [TO_SIGN_IN, TO_SIGN_IN, TO_SIGN_IN],
  },
  {
    rfc,
    section: "4.11.2",
    must: "a signed-in person is redirected with the error",
    request: (scene) => scene.authorize({ scope: "x" }),
    expected: toClient("invalid_scope"),
  },
  {
    rfc,
    section: "4.11.2",
    must: "an unregistered redirect URI is never redirected to, signed in or not",
    request: async (scene) => {
      const changes = { redirect_uri: "https://evil.example/" };
      return [await scene.authorize(changes), await scene.send(scene.authorizePath(changes))];
    },
    expected: [PAGE, PAGE],
  },
];

const BROWSER: Must[] = [
  {
    rfc,
    section: "2.6",
    must: "the authorization endpoint supports no CORS",
    request: async (scene) => [
      await scene.send(scene.authorizePath(), { headers: { origin: "https://app.example" } }),
      await scene.send("/oauth/authorize", { method: "OPTIONS", headers: ELSEWHERE }),
    ],
    expected: [
      { headers: { "access-control-allow-origin": null } },
      { status: 204, headers: { "access-control-allow-origin": null } },
    ],
  },
  {
    rfc,
    section: "2.6",
    must: "the consent page and its form support no CORS",
    request: async (scene) => [
      await scene.send("/oauth/consent", { headers: { origin: "https://app.example" } }),
      await scene.send("/oauth/consent/decision", { method: "OPTIONS", headers: ELSEWHERE }),
    ],
    expected: [
      { headers: { "access-control-allow-origin": null } },
      { headers: { "access-control-allow-origin": null } },
    ],
  },
  {
    rfc,
    section: "2.6",
    must: "the token endpoint supports it, without cookies",
    request: async (scene) => [
      await scene.token({ headers: { origin: "https://app.example" } }),
      await scene.send("/oauth/token", {
        method: "OPTIONS",
        headers: { ...ELSEWHERE, "access-control-request-method": "POST" },
      }),
    ],
    expected: [
      { ...ISSUED, headers: { "access-control-allow-origin": "*", "access-control-allow-credentials": null } },
      { status: 204, headers: { "access-control-allow-origin": "*", "access-control-allow-methods": "POST" } },
    ],
  },
  {
    rfc,
    section: "4.12",
    must: "after the form the browser continues with GET: 303, never 307",
    request: (scene) => scene.allow(),
    expected: { status: 303, headers: { "cache-control": "no-store" } },
  },
  {
    rfc,
    section: "4.12",
    must: "after an error the browser continues with GET: 303, never 307",
    request: (scene) => scene.authorize({ response_type: "token" }),
    expected: { status: 303, headers: { "cache-control": "no-store" } },
  },
  {
    rfc,
    section: "4.2.4",
    must: "neither page nor redirect gives other sites a referrer",
    request: async (scene) => [
      await scene.allow(),
      await scene.authorize({ client_id: undefined }),
      await scene.send("/sign-in"),
    ],
    expected: Array.from({ length: 3 }, () => ({
      headers: { "referrer-policy": matching(/^(no-referrer|same-origin)$/) },
    })),
  },
  {
    rfc,
    section: "4.16",
    must: "answers of the authorization endpoint cannot be framed",
    request: async (scene) => [
      await scene.authorize(),
      await scene.authorize({ scope: "x" }),
      await scene.authorize({ redirect_uri: "x:y" }),
    ],
    expected: Array.from({ length: 3 }, () => ({ headers: UNFRAMEABLE })),
  },
];

const GRANTS: Must[] = [
  {
    rfc,
    section: "2.1.1",
    must: "PKCE is not optional, whoever the client is",
    request: (scene) => scene.authorize({ code_challenge: undefined, code_challenge_method: undefined }),
    expected: toClient("invalid_request"),
  },
  {
    rfc,
    section: "2.1.1",
    must: "a code with a challenge cannot be redeemed without the verifier",
    request: (scene) => scene.token({ fields: { code_verifier: undefined } }),
    expected: refused("invalid_request"),
  },
  {
    rfc,
    section: "4.8.2",
    must: "plain is not accepted: the challenge is not its own verifier",
    request: async (scene) =>
      scene.token({
        code: await scene.code({ code_challenge: VERIFIER.slice(0, 43) }),
        fields: { code_verifier: VERIFIER.slice(0, 43) },
      }),
    expected: refused("invalid_grant"),
  },
  {
    rfc,
    section: "2.1.2",
    must: "no token is returned through the browser",
    request: (scene) => scene.authorize({ response_type: "token" }),
    expected: { ...toClient("unsupported_response_type"), location: matching(/^[^#]*$/) },
  },
  {
    rfc,
    section: "2.4",
    must: "there is no password grant",
    request: (scene) =>
      scene.token({ code: "x", fields: { grant_type: "password", username: "a@b.example", password: "x" } }),
    expected: refused("unsupported_grant_type"),
  },
  {
    rfc,
    section: "4.5.3",
    must: "a code is bound to its client",
    request: (scene) => scene.token({ fields: { ...scene.actors.other } }),
    expected: refused("invalid_grant"),
  },
];

export const RFC_9700: Must[] = [REDIRECT_URIS, OPEN_REDIRECTS, BROWSER, GRANTS].flat();
