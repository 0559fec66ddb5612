import {
  INVALID_CLIENT,
  INVALID_CLIENT_BASIC,
  INVALID_TOKEN,
  matching,
  NOT_STORED,
  OPEN,
  refused,
} from "@/tests/service/oauth-musts/support/expectations";
import type { Must } from "@/tests/service/oauth-musts/support/must";
import { basic, type Changes, type Scene } from "@/tests/service/oauth-musts/support/scene";

const rfc = "7009";
const REVOKED = { status: 200, headers: { ...NOT_STORED, "access-control-allow-origin": "*" }, body: "" };

/** A rule about revoking a valid token like this. Then it is used. */
function revoking(
  section: string,
  must: string,
  fields: Changes,
  expected: object[],
  headers: (scene: Scene) => Record<string, string> = () => ({}),
): Must {
  const request: Must["request"] = async (scene) => {
    const token = await scene.accessToken();
    return [await scene.revoke({ token, ...fields }, headers(scene)), await scene.api(`Bearer ${token}`)];
  };
  return { rfc, section, must, request, expected };
}

function authorizing(section: string, must: string, fields: Changes, expected: object, query = ""): Must {
  return { rfc, section, must, request: (scene) => scene.revoke(fields, {}, query), expected };
}

const NO_CREDENTIALS = { client_id: undefined, client_secret: undefined };

export const RFC_7009: Must[] = [
  revoking("2.1", "a token ends at once", {}, [REVOKED, INVALID_TOKEN]),
  revoking(
    "2.1",
    "a client with Basic authentication needs the verifier too",
    NO_CREDENTIALS,
    [REVOKED, INVALID_TOKEN],
    ({ actors }) => basic(actors.client.client_id, actors.client.client_secret),
  ),
  revoking("2.1", "a right hint is as good as none", { token_type_hint: "access_token" }, [REVOKED, INVALID_TOKEN]),
  revoking("2.1", "a wrong hint does not hide the token", { token_type_hint: "refresh_token" }, [
    REVOKED,
    INVALID_TOKEN,
  ]),
  revoking("2.2", "an unknown hint is ignored", { token_type_hint: "unknown" }, [REVOKED, INVALID_TOKEN]),
  revoking("2.1", "unknown parameters are ignored", { unknown: "1" }, [REVOKED, INVALID_TOKEN]),
  revoking("2.1", "without authentication nothing ends", NO_CREDENTIALS, [INVALID_CLIENT, OPEN]),
  revoking("2.1", "with the id alone nothing ends", { client_secret: undefined }, [INVALID_CLIENT, OPEN]),
  revoking("2.1", "with a wrong secret nothing ends", { client_secret: "wrong" }, [INVALID_CLIENT, OPEN]),
  revoking(
    "2.2.1",
    "a wrong secret by Basic is challenged by Basic",
    NO_CREDENTIALS,
    [INVALID_CLIENT_BASIC, OPEN],
    ({ actors }) => basic(actors.client.client_id, "wrong"),
  ),
  revoking("2.1", "two ways to authenticate are one too many", {}, [refused("invalid_request"), OPEN], ({ actors }) =>
    basic(actors.client.client_id, actors.client.client_secret),
  ),
  {
    rfc,
    section: "2.1",
    must: "another client's token is refused, and stays valid",
    request: async (scene) => {
      const token = await scene.accessToken();
      return [await scene.revoke({ ...scene.actors.other, token }), await scene.api(`Bearer ${token}`)];
    },
    expected: [refused("invalid_grant"), OPEN],
  },
  {
    rfc,
    section: "2.2",
    must: "revoking twice is the same as once",
    request: async (scene) => {
      const token = await scene.accessToken();
      return [await scene.revoke({ token }), await scene.revoke({ token })];
    },
    expected: [REVOKED, REVOKED],
  },
  authorizing("2.2", "a token that never was is as good as revoked", { token: "unknown" }, REVOKED),
  authorizing("2.1", "token is required", {}, refused("invalid_request")),
  authorizing("2.1", "an empty token is none", { token: "" }, refused("invalid_request")),
  authorizing("2.1", "a token does not stand in the URL", { token: "x" }, refused("invalid_request"), "?token=x"),
  {
    rfc,
    section: "2.1",
    must: "token comes once",
    request: (scene) =>
      scene.postForm("/oauth/revoke", `${new URLSearchParams({ ...scene.actors.client })}&token=x&token=x`),
    expected: refused("invalid_request"),
  },
  {
    rfc,
    section: "2",
    must: "the request is a POST",
    request: (scene) => scene.send("/oauth/revoke?token=x"),
    expected: { status: 405, headers: { allow: "POST, OPTIONS" }, body: refused("invalid_request").body },
  },
  {
    rfc,
    section: "2.1",
    must: "the request has a form",
    request: (scene) => scene.revoke({ token: "x" }, { "content-type": "application/json" }),
    expected: refused("invalid_request"),
  },
  {
    rfc,
    section: "2.3",
    must: "pages of other origins may ask before",
    request: (scene) => scene.send("/oauth/revoke", { method: "OPTIONS", headers: { origin: "https://app.example" } }),
    expected: {
      status: 204,
      headers: { "access-control-allow-origin": "*", "access-control-allow-methods": matching("POST") },
    },
  },
];
