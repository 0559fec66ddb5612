import {
  INVALID_CLIENT,
  INVALID_CLIENT_BASIC,
  ISSUED,
  matching,
  NOT_STORED,
  refused,
} from "@/tests/service/oauth-musts/support/expectations";
import type { Must } from "@/tests/service/oauth-musts/support/must";
import type { Scene, TokenCall } from "@/tests/service/oauth-musts/support/scene";

import { byBasic, NO_CREDENTIALS, redeeming } from "@/tests/service/oauth-musts/support/redeeming";
const rfc = "6749";

export const RFC_6749_CLIENT_AUTHENTICATION: Must[] = [
  redeeming("2.3.1", "HTTP Basic is supported", (scene) => byBasic(scene), ISSUED),
  redeeming("2.3.1", "credentials in the body are supported", {}, ISSUED),
  redeeming(
    "2.3.1",
    "the halves of Basic are form-encoded",
    (scene) =>
      byBasic(
        scene,
        scene.actors.client.client_secret.replaceAll(/[_-]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
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
    "two ways of authenticating a request are refused",
    (scene) => ({ headers: byBasic(scene).headers ?? {} }),
    refused("invalid_request"),
  ),
  redeeming(
    "2.3",
    "two ways of authenticating are refused, also with a wrong secret",
    (scene) => ({ headers: byBasic(scene, "no").headers ?? {} }),
    refused("invalid_request"),
  ),
  redeeming("2.3.1", "a secret in the URL is refused", { query: "?client_secret=x" }, refused("invalid_request")),
  redeeming("2.3.1", "a client_id in the URL is refused", { query: "?client_id=x" }, refused("invalid_request")),
  redeeming("3.2", "a code in the URL is refused", { query: "?code=x" }, refused("invalid_request")),
  redeeming("3.2.1", "a client authenticates", { fields: NO_CREDENTIALS }, INVALID_CLIENT),
  redeeming(
    "3.2.1",
    "a confidential client needs more than its id",
    { fields: { client_secret: undefined } },
    INVALID_CLIENT,
  ),
  redeeming("4.1.3", "a wrong secret is refused", { fields: { client_secret: "wrong" } }, INVALID_CLIENT),
  redeeming("4.1.3", "a truncated secret is refused", (scene) => cutSecret(scene), INVALID_CLIENT),
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
    "another scheme is challenged by Basic",
    { fields: NO_CREDENTIALS, headers: { authorization: "Bearer x" } },
    INVALID_CLIENT_BASIC,
  ),
  redeeming(
    "5.2",
    "Basic without base64 is challenged by Basic",
    { fields: NO_CREDENTIALS, headers: { authorization: "Basic ???" } },
    INVALID_CLIENT_BASIC,
  ),
  redeeming(
    "5.2",
    "Basic without a colon is challenged by Basic",
    { fields: NO_CREDENTIALS, headers: { authorization: `Basic ${btoa("x")}` } },
    INVALID_CLIENT_BASIC,
  ),
  redeeming(
    "3.2.1",
    "the client_id in the body must be that in the header",
    (scene) => ({ ...byBasic(scene), extra: `&client_id=${scene.actors.other.client_id}` }),
    refused("invalid_request"),
  ),
  {
    rfc,
    section: "2.3.1",
    must: "guessing a secret is limited",
    request: async (scene) => {
      // An existing client: unknown clients share one count, which would stay exhausted for later tests.
      const client = { ...scene.actors.guessed, client_secret: "guess" };
      const guess = () => scene.token({ code: "x", fields: client });
      // Twenty are allowed per window, and the guesses may fall into two windows.
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

function cutSecret({ actors }: Scene): TokenCall {
  return { fields: { client_secret: actors.client.client_secret.slice(0, -1) } };
}

function otherSecret({ actors }: Scene): TokenCall {
  return { fields: { client_secret: actors.other.client_secret } };
}
