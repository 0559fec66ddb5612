import {
  ISSUER,
  matching,
  PAGE,
  toClient,
  UNFRAMEABLE,
  without,
} from "@/tests/service/oauth-musts/support/expectations";
import type { Must } from "@/tests/service/oauth-musts/support/must";
import { REDIRECT_URI } from "@/tests/service/oauth-musts/support/scene";

const rfc = "6749";

/** As sent in the query. The returned state must decode to the same bytes. */
const STATES: readonly [what: string, sent: string, returned: string][] = [
  [
    "every printable character",
    "%20!%22%23$%25%26'()*%2B,-./09:;<=>?@AZ%5B%5C%5D%5E_%60az%7B|%7D~",
    " !\"#$%&'()*+,-./09:;<=>?@AZ[\\]^_`az{|}~",
  ],
  ["a plus that means a space", "a+b", "a b"],
  ["a plus that means itself", "a%2Bb", "a+b"],
  ["a percent sign that begins no escape", "100%", "100%"],
  ["an escape of an escape", "%2525", "%25"],
  ["letters beyond ASCII", "%C3%A9%F0%9F%94%91", "é\u{1f511}"],
  ["a null byte", "a%00b", "a\u0000b"],
  ["a line break", "a%0D%0Aset-cookie:x=1", "a\r\nset-cookie:x=1"],
  ["a whole URL", "https://client.example/?a=1%26b=2%23c", "https://client.example/?a=1&b=2#c"],
  ["JSON", "%7B%22a%22:%5B1,2%5D%7D", '{"a":[1,2]}'],
  ["6,000 characters", "s".repeat(6000), "s".repeat(6000)],
];

const WITH_CODE: Must[] = STATES.map(([what, sent, returned]) => ({
  rfc,
  section: "4.1.2",
  must: `state comes back with a code exactly: ${what}`,
  request: (scene) => scene.allow({ state: undefined }, `&state=${sent}`),
  expected: { status: 303, returned: { state: returned, code: matching(/^[\w-]{43,}$/), error: null } },
}));

const WITH_ERROR: Must[] = STATES.map(([what, sent, returned]) => ({
  rfc,
  section: "4.1.2.1",
  must: `state comes back with an error exactly: ${what}`,
  request: (scene) => scene.authorize({ state: undefined, scope: "unknown" }, `&state=${sent}`),
  expected: toClient("invalid_scope", returned),
}));

const ANSWERS: Must[] = [
  {
    rfc,
    section: "4.1.2",
    must: "a state that is not UTF-8 is refused, because it could not be returned unchanged",
    request: (scene) => scene.authorize({ state: undefined }, "&state=%FF%fe%C3"),
    expected: toClient("invalid_request", null),
  },
  {
    rfc,
    section: "4.1.2",
    must: "without a state none is returned",
    request: (scene) => scene.allow({ state: undefined }),
    expected: { status: 303, location: matching(`^${REDIRECT_URI.replaceAll(".", "\\.")}\\?code=[\\w-]+&iss=[^&]+$`) },
  },
  {
    rfc,
    section: "4.1.2.1",
    must: "the client learns that the person denied",
    request: async (scene) => scene.sendConsent({ ...(await scene.consentForm()), decision: "deny" }),
    expected: { ...toClient("access_denied"), headers: { "cache-control": "no-store" } },
  },
  {
    rfc,
    section: "4.1.2.1",
    must: "a description is printable ASCII without quotation mark and backslash",
    request: (scene) => scene.authorize({ scope: '"\\é' }),
    expected: { returned: { error: "invalid_scope", error_description: matching(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/) } },
  },
  {
    rfc,
    section: "10.14",
    must: "parameters are escaped in pages",
    request: (scene) => scene.authorize({ client_id: "<script>alert(1)</script>", state: "<script>alert(2)</script>" }),
    expected: { ...PAGE, body: without("<script") },
  },
  {
    rfc,
    section: "10.15",
    must: "the sign-in redirects to no other site",
    request: (scene) => scene.send("/sign-in?next=https%3A%2F%2Fevil.example%2F"),
    expected: { status: 200, location: null, body: without('value="https://evil.example') },
  },
  {
    rfc,
    section: "10.13",
    must: "a refusal cannot be framed",
    request: (scene) => scene.authorize({ client_id: undefined }),
    expected: { headers: UNFRAMEABLE },
  },
  {
    rfc,
    section: "10.13",
    must: "the consent page cannot be framed or cached",
    request: async (scene) => {
      const { location } = await scene.authorize();
      return scene.send(location ?? "", { headers: { cookie: scene.actors.browser.cookieHeader() } });
    },
    expected: {
      status: 200,
      headers: { ...UNFRAMEABLE, "cache-control": matching("no-store") },
      body: matching("Rule by rule"),
    },
  },
  {
    rfc,
    section: "10.13",
    must: "the sign-in page cannot be framed",
    request: (scene) => scene.send("/sign-in"),
    expected: { status: 200, headers: UNFRAMEABLE },
  },
];

const NOTHING_LEFT = { status: 400, location: null, body: matching("nothing left to decide") };

/** §10.12: access needs the consent of a person on our own page. */
const CONSENT_ROWS: Omit<Must, "rfc" | "section">[] = [
  {
    must: "a consent form from another site has no effect",
    request: async (scene) => {
      const headers = { cookie: scene.actors.browser.cookieHeader(), origin: "https://evil.example" };
      return scene.postForm(
        "/oauth/consent/decision",
        new URLSearchParams(await scene.consentForm()).toString(),
        headers,
      );
    },
    expected: { status: 403, location: null },
  },
  {
    must: "a consent form with a hidden origin has no effect",
    request: async (scene) => {
      const headers = { cookie: scene.actors.browser.cookieHeader(), origin: "null", "sec-fetch-site": "cross-site" };
      return scene.postForm(
        "/oauth/consent/decision",
        new URLSearchParams(await scene.consentForm()).toString(),
        headers,
      );
    },
    expected: { status: 403, location: null },
  },
  {
    must: "a consent form without its token has no effect",
    request: async (scene) => scene.sendConsent({ ...(await scene.consentForm()), token: "" }),
    expected: NOTHING_LEFT,
  },
  {
    must: "a consent form with the token of another request has no effect",
    request: async (scene) =>
      scene.sendConsent({ ...(await scene.consentForm()), token: (await scene.consentForm()).token ?? "" }),
    expected: NOTHING_LEFT,
  },
  {
    must: "a consent form in another session of the same person has no effect",
    request: async (scene) => scene.sendConsent(await scene.consentForm(), scene.actors.secondBrowser),
    expected: NOTHING_LEFT,
  },
  {
    must: "a consent form in another person's session has no effect",
    request: async (scene) => scene.sendConsent(await scene.consentForm(), scene.actors.colleague),
    expected: NOTHING_LEFT,
  },
  {
    must: "a consent form without a session has no effect",
    request: async (scene) => {
      const form = new URLSearchParams(await scene.consentForm()).toString();
      return scene.postForm("/oauth/consent/decision", form, { origin: ISSUER });
    },
    expected: NOTHING_LEFT,
  },
  {
    must: "a consent form has an effect once",
    request: async (scene) => {
      const form = await scene.consentForm();
      return [await scene.sendConsent(form), await scene.sendConsent(form)];
    },
    expected: [{ status: 303, returned: { code: matching(/./) } }, NOTHING_LEFT],
  },
  {
    must: "a link cannot consent",
    request: async (scene) => {
      const form = new URLSearchParams(await scene.consentForm());
      return scene.send(`/oauth/consent/decision?${form}`, {
        headers: { cookie: scene.actors.browser.cookieHeader() },
      });
    },
    expected: { status: 405, location: null },
  },
  {
    must: "a decision other than “allow” is no consent",
    request: async (scene) => scene.sendConsent({ ...(await scene.consentForm()), decision: "ALLOW" }),
    expected: toClient("access_denied"),
  },
];

const CONSENT = CONSENT_ROWS.map((row): Must => ({ rfc, section: "10.12", ...row }));

export const RFC_6749_ANSWERS: Must[] = [WITH_CODE, WITH_ERROR, ANSWERS, CONSENT].flat();
