import { accessTokenIn } from "@/tests/service/oauth-musts/support/answer";
import {
  INVALID_CLIENT,
  INVALID_TOKEN,
  ISSUED,
  matching,
  NOT_STORED,
  OPEN,
  refused,
} from "@/tests/service/oauth-musts/support/expectations";
import type { Must } from "@/tests/service/oauth-musts/support/must";
import { REDIRECT_URI_WITH_PORT, type Scene, type TokenCall } from "@/tests/service/oauth-musts/support/scene";

import { redeeming } from "@/tests/service/oauth-musts/support/redeeming";
const rfc = "6749";

export const RFC_6749_CODES: Must[] = [
  redeeming("4.1.3", "a code is required", { fields: { code: undefined } }, refused("invalid_request")),
  redeeming("4.1.3", "an unknown code is refused", { code: "a".repeat(43) }, refused("invalid_grant")),
  redeeming(
    "4.1.3",
    "a code of another client is refused",
    (scene) => ({ fields: { ...scene.actors.other } }),
    refused("invalid_grant"),
  ),
  redeeming(
    "4.1.3",
    "redirect_uri is required, because the first request had it",
    { fields: { redirect_uri: undefined } },
    refused("invalid_request"),
  ),
  redeeming(
    "4.1.3",
    "another redirect_uri than in the first request is refused",
    { fields: { redirect_uri: "https://evil.example/" } },
    refused("invalid_grant"),
  ),
  redeeming(
    "10.6",
    "another registered redirect_uri is refused",
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
    must: "a code can be redeemed once, and a second use revokes its token",
    request: (scene) => replay(scene, {}),
    expected: [OPEN, refused("invalid_grant"), INVALID_TOKEN],
  },
  {
    rfc,
    section: "4.1.2",
    must: "a second use without the secret revokes nothing",
    request: (scene) => replay(scene, { fields: { client_secret: "wrong" } }),
    expected: [OPEN, INVALID_CLIENT, OPEN],
  },
  {
    rfc,
    section: "4.1.2",
    must: "a second use without the verifier revokes nothing",
    request: (scene) => replay(scene, { fields: { code_verifier: "w".repeat(43) } }),
    expected: [OPEN, refused("invalid_grant"), OPEN],
  },
  {
    rfc,
    section: "4.1.2",
    must: "a second use by another client revokes nothing",
    request: (scene) => replay(scene, { fields: scene.actors.other as never }),
    expected: [OPEN, refused("invalid_grant"), OPEN],
  },
  {
    rfc,
    section: "10.5",
    must: "a code can be redeemed once, also concurrently",
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
    "a token answer is JSON, is not cached, and has the token's type and lifetime",
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

/** Uses a code, calls the API, uses the code again with `again`'s changes, and calls the API once more. */
async function replay(scene: Scene, again: TokenCall) {
  const code = await scene.code();
  const bearer = `Bearer ${accessTokenIn(await scene.token({ code }))}`;
  return [await scene.api(bearer), await scene.token({ code, ...again }), await scene.api(bearer)];
}
