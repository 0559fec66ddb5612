import { ISSUER, matching, PAGE } from "@/tests/service/oauth-musts/support/expectations";
import type { Must } from "@/tests/service/oauth-musts/support/must";

const rfc = "9207";
const ISS = { returned: { iss: ISSUER } };

export const RFC_9207: Must[] = [
  {
    rfc,
    section: "2",
    must: "iss is returned with a code",
    request: (scene) => scene.allow(),
    expected: { ...ISS, status: 303 },
  },
  {
    rfc,
    section: "2",
    must: "iss is returned with an error of the request",
    request: (scene) => scene.authorize({ response_type: "token" }),
    expected: { ...ISS, status: 303 },
  },
  {
    rfc,
    section: "2",
    must: "iss is returned when the person denies",
    request: async (scene) => scene.sendConsent({ ...(await scene.consentForm()), decision: "deny" }),
    expected: { ...ISS, status: 303 },
  },
  {
    rfc,
    section: "2",
    must: "an iss in the request does not change that of the answer",
    request: (scene) => scene.allow({}, "&iss=https%3A%2F%2Fevil.example"),
    expected: { ...ISS, location: matching(/^[^?]*\?[^?]*&iss=[^&]*$/) },
  },
  {
    rfc,
    section: "2.1",
    must: "iss is form-encoded",
    request: (scene) => scene.allow(),
    expected: { location: matching(`&iss=${encodeURIComponent(ISSUER)}$`) },
  },
  {
    rfc,
    section: "2.3",
    must: "iss is the issuer of the metadata",
    request: (scene) => scene.send("/.well-known/oauth-authorization-server"),
    expected: { body: { issuer: ISSUER } },
  },
  {
    rfc,
    section: "3",
    must: "the metadata announces iss",
    request: (scene) => scene.send("/.well-known/oauth-authorization-server"),
    expected: { body: { authorization_response_iss_parameter_supported: true } },
  },
  {
    rfc,
    section: "2",
    must: "a page without a redirect has no iss",
    request: (scene) => scene.authorize({ client_id: undefined }),
    expected: PAGE,
  },
];
