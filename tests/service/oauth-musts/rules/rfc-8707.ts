import {
  ASKED,
  INVALID_TOKEN,
  ISSUED,
  ISSUER,
  OPEN,
  refused,
  toClient,
} from "@/tests/service/oauth-musts/support/expectations";
import type { Must } from "@/tests/service/oauth-musts/support/must";
import type { Changes } from "@/tests/service/oauth-musts/support/scene";

const rfc = "8707";
const REST = `${ISSUER}/api/v1`;
const MCP = `${ISSUER}/api/mcp`;

function asking(must: string, resource: string, expected: Must["expected"], extra = ""): Must {
  return { rfc, section: "2", must, request: (scene) => scene.authorize({ resource }, extra), expected };
}

/** What the token endpoint answers to `extra` after what was granted. */
function redeeming(must: string, granted: Changes, extra: string, expected: Must["expected"], more = ""): Must {
  const request: Must["request"] = async (scene) =>
    scene.token({ code: (await scene.allow(granted, more)).returned.code ?? "", extra });
  return { rfc, section: "2.2", must, request, expected };
}

/** What the REST API answers to a token that was granted, and then narrowed, like this. */
function opening(section: string, must: string, granted: Changes, extra: string, expected: Must["expected"]): Must {
  return {
    rfc,
    section,
    must,
    request: async (scene) => scene.api(`Bearer ${await scene.accessToken(granted, { extra })}`),
    expected,
  };
}

const ofForm = (...resources: string[]) =>
  resources.map((resource) => `&resource=${encodeURIComponent(resource)}`).join("");
const UNKNOWN = toClient("invalid_target");

export const RFC_8707: Must[] = [
  asking("the whole service is a resource", ISSUER, ASKED),
  asking("so is the REST API", REST, ASKED),
  asking("so is the MCP server", MCP, ASKED),
  asking("a trailing slash is forgiven", `${ISSUER}/`, ASKED),
  asking("resource may come more than once", REST, ASKED, ofForm(MCP)),
  asking("an empty resource counts as omitted", "", ASKED),
  asking("an unknown resource is invalid", "https://other.example/api", UNKNOWN),
  asking("one unknown among known ones is", REST, UNKNOWN, ofForm("https://other.example")),
  asking("a resource is absolute", "/api/v1", UNKNOWN),
  asking("a resource has no fragment", `${REST}#x`, UNKNOWN),
  asking("a resource has no empty fragment", `${REST}#`, UNKNOWN),
  asking("a resource with a query is another one", `${REST}?x=1`, UNKNOWN),
  asking("a path below is another one", `${REST}/accounts`, UNKNOWN),
  asking("a host that begins alike is another one", `${ISSUER}.evil.example`, UNKNOWN),
  redeeming("a token for what was granted is issued", { resource: REST }, ofForm(REST), ISSUED),
  redeeming("also with a trailing slash", { resource: REST }, ofForm(`${REST}/`), ISSUED),
  redeeming("a resource outside of the grant is invalid", { resource: REST }, ofForm(MCP), refused("invalid_target")),
  redeeming("the whole is outside of a part", { resource: REST }, ofForm(ISSUER), refused("invalid_target")),
  redeeming("one outside among granted ones is", { resource: REST }, ofForm(REST, MCP), refused("invalid_target")),
  redeeming("an unknown one is", {}, ofForm("https://other.example"), refused("invalid_target")),
  redeeming("several that were granted are good together", { resource: REST }, ofForm(REST, MCP), ISSUED, ofForm(MCP)),
  redeeming("a grant for all narrows to one", {}, ofForm(MCP), ISSUED),
  {
    rfc,
    section: "2.2",
    must: "an invalid target does not use up the code",
    request: async (scene) => {
      const code = await scene.code({ resource: REST });
      return [await scene.token({ code, extra: ofForm(MCP) }), await scene.token({ code })];
    },
    expected: [refused("invalid_target"), ISSUED],
  },
  opening("2", "a token without resource is for all of ours", {}, "", OPEN),
  opening("2", "a token is for its resource", { resource: REST }, "", OPEN),
  opening("2", "a token for another resource opens nothing here", { resource: MCP }, "", INVALID_TOKEN),
  opening("2.2", "a narrowed token is for what it was narrowed to", {}, ofForm(MCP), INVALID_TOKEN),
  opening("2.2", "a token for the whole narrows to a part of it", { resource: ISSUER }, ofForm(REST), OPEN),
];
