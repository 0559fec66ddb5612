import type { Must } from "@/tests/service/oauth-musts/support/must";
import { basic, type Scene, type TokenCall } from "@/tests/service/oauth-musts/support/scene";

export const NO_CREDENTIALS = { client_id: undefined, client_secret: undefined };

/** A rule of RFC 6749 about a token request: an allowed client redeems its code with `call`'s changes. */
export function redeeming(
  section: string,
  must: string,
  call: TokenCall | ((scene: Scene) => TokenCall),
  expected: Must["expected"],
): Must {
  return {
    rfc: "6749",
    section,
    must,
    request: (scene) => scene.token(typeof call === "function" ? call(scene) : call),
    expected,
  };
}

/** A token request with the credentials in HTTP Basic. */
export const byBasic = (scene: Scene, secret = scene.actors.client.client_secret): TokenCall => ({
  fields: NO_CREDENTIALS,
  headers: basic(scene.actors.client.client_id, secret),
});
