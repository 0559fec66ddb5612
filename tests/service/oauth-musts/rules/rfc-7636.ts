import { ASKED, ISSUED, refused, toClient } from "@/tests/service/oauth-musts/support/expectations";
import type { Must } from "@/tests/service/oauth-musts/support/must";
import { challengeOf, type Changes, VERIFIER } from "@/tests/service/oauth-musts/support/scene";

const rfc = "7636";

function authorizing(section: string, must: string, changes: Changes, expected: Must["expected"]): Must {
  return { rfc, section, must, request: (scene) => scene.authorize(changes), expected };
}

/** A rule about the token endpoint's answer to `verifier` after `challenge` was sent. */
function proving(
  section: string,
  must: string,
  verifier: string | undefined,
  expected: Must["expected"],
  challenge = challengeOf(VERIFIER),
): Must {
  const request: Must["request"] = async (scene) =>
    scene.token({ code: await scene.code({ code_challenge: challenge }), fields: { code_verifier: verifier } });
  return { rfc, section, must, request, expected };
}

function matchingPair(must: string, verifier: string, expected: Must["expected"]): Must {
  return proving("4.1", must, verifier, expected, challengeOf(verifier));
}

const BAD_CHALLENGE = toClient("invalid_request");
const WRONG = refused("invalid_grant");

export const RFC_7636: Must[] = [
  authorizing("4.3", "S256 is supported", {}, ASKED),
  authorizing(
    "4.4.1",
    "a challenge is required",
    { code_challenge: undefined, code_challenge_method: undefined },
    BAD_CHALLENGE,
  ),
  authorizing("4.4.1", "a method alone is none", { code_challenge: undefined }, BAD_CHALLENGE),
  authorizing("4.4.1", "an empty challenge is none", { code_challenge: "" }, BAD_CHALLENGE),
  authorizing(
    "4.4.1",
    "a missing method means plain, which is not supported",
    { code_challenge_method: undefined },
    BAD_CHALLENGE,
  ),
  authorizing("4.4.1", "plain is not supported", { code_challenge_method: "plain" }, BAD_CHALLENGE),
  authorizing("4.4.1", "methods are case-sensitive", { code_challenge_method: "s256" }, BAD_CHALLENGE),
  authorizing("4.4.1", "an unknown method is not supported", { code_challenge_method: "S512" }, BAD_CHALLENGE),
  authorizing("4.2", "a challenge of 42 characters is invalid", { code_challenge: "a".repeat(42) }, BAD_CHALLENGE),
  authorizing("4.2", "a challenge of 44 characters is invalid", { code_challenge: "a".repeat(44) }, BAD_CHALLENGE),
  authorizing(
    "4.2",
    "a challenge with padding is invalid",
    { code_challenge: `${challengeOf(VERIFIER)}=` },
    BAD_CHALLENGE,
  ),
  authorizing(
    "4.2",
    "a challenge in plain base64 is invalid",
    { code_challenge: `+/${"a".repeat(41)}` },
    BAD_CHALLENGE,
  ),
  proving("4.5", "the verifier is required", undefined, refused("invalid_request")),
  proving("4.5", "an empty verifier counts as omitted", "", refused("invalid_request")),
  proving("4.6", "the right verifier is accepted", VERIFIER, ISSUED),
  proving("4.6", "a wrong verifier is refused", "w".repeat(43), WRONG),
  proving("4.6", "the challenge itself is no verifier", challengeOf(VERIFIER), WRONG),
  proving("4.6", "a verifier in other letters is a wrong one", VERIFIER.toUpperCase(), WRONG),
  matchingPair("a verifier may have 43 characters", "a".repeat(43), ISSUED),
  matchingPair("a verifier may have 128 characters", "a".repeat(128), ISSUED),
  matchingPair("a verifier may hold every unreserved character", `Aa09-._~${"x".repeat(40)}`, ISSUED),
  matchingPair("a verifier has no 42 characters", "a".repeat(42), WRONG),
  matchingPair("a verifier has no 129 characters", "a".repeat(129), WRONG),
  matchingPair("a verifier holds no reserved character", `${"a".repeat(43)}+/=`, WRONG),
  matchingPair("a verifier holds no letter beyond ASCII", `${"a".repeat(43)}é`, WRONG),
  {
    rfc,
    section: "4.4",
    must: "the challenge is bound to the code: that of another request is not used",
    request: async (scene) => {
      const [first, second] = ["1".repeat(43), "2".repeat(43)];
      const code = await scene.code({ code_challenge: challengeOf(first) });
      await scene.code({ code_challenge: challengeOf(second) });
      return scene.token({ code, fields: { code_verifier: second } });
    },
    expected: WRONG,
  },
];
