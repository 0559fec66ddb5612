import { INVALID_CLIENT, ISSUED, refused } from "@/tests/service/oauth-musts/support/expectations";
import type { Must } from "@/tests/service/oauth-musts/support/must";
import type { Scene } from "@/tests/service/oauth-musts/support/scene";

import { byBasic, redeeming } from "@/tests/service/oauth-musts/support/redeeming";
const rfc = "6749";

/** The body of a refusal, which HEAD has not. */
function bodyOf(method: string) {
  return method === "HEAD" ? {} : { body: refused("invalid_request").body };
}

const METHODS: Must[] = ["GET", "HEAD", "PUT", "PATCH", "DELETE"].map((method) => ({
  rfc,
  section: "3.2",
  must: `the client uses POST, not ${method}`,
  request: (scene: Scene) => scene.send("/oauth/token", { method }),
  expected: { status: 405, headers: { allow: "POST, OPTIONS", "cache-control": "no-store" }, ...bodyOf(method) },
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
      (scene) => ({ extra: `&${extra}`, code: scene.actors.origin }),
      refused("invalid_request"),
    ),
  ),
  redeeming(
    "4.1.3",
    "parameters as JSON are refused",
    { headers: { "content-type": "application/json" } },
    refused("invalid_request"),
  ),
  redeeming(
    "4.1.3",
    "parameters as multipart are refused",
    { headers: { "content-type": "multipart/form-data; boundary=x" } },
    refused("invalid_request"),
  ),
  redeeming(
    "4.1.3",
    "parameters as text are refused",
    { headers: { "content-type": "text/plain" } },
    refused("invalid_request"),
  ),
  redeeming(
    "B",
    "the content type may have a charset",
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
    "parameters that are not UTF-8 cause no server error",
    { code: "x", extra: "&unknown=%FF%C3" },
    refused("invalid_grant"),
  ),
  redeeming(
    "3.2",
    "a body that is too long is refused",
    { extra: `&x=${"x".repeat(70_000)}` },
    refused("invalid_request"),
  ),
];

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

export const RFC_6749_TOKEN: Must[] = [METHODS, PARAMETERS, GRANT_TYPES].flat();
