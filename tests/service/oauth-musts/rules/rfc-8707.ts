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

function authorizing(must: string, resource: string, expected: Must["expected"], extra = ""): Must {
  return { rfc, section: "2", must, request: (scene) => scene.authorize({ resource }, extra), expected };
}

/** A rule about the token endpoint's answer to `extra` after the grant. */
function redeeming(must: string, granted: Changes, extra: string, expected: Must["expected"], more = ""): Must {
  const request: Must["request"] = async (scene) =>
    scene.token({ code: (await scene.allow(granted, more)).returned.code ?? "", extra });
  return { rfc, section: "2.2", must, request, expected };
}

/** A rule about the REST API's answer to a token that was granted and then narrowed like this. */
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
  authorizing("the whole service is a resource", ISSUER, ASKED),
  authorizing("the REST API is a resource", REST, ASKED),
  authorizing("the MCP server is a resource", MCP, ASKED),
  authorizing("a trailing slash is accepted", `${ISSUER}/`, ASKED),
  authorizing("resource may be repeated", REST, ASKED, ofForm(MCP)),
  authorizing("an empty resource counts as omitted", "", ASKED),
  authorizing("an unknown resource is invalid", "https://other.example/api", UNKNOWN),
  authorizing("an unknown resource among known ones is invalid", REST, UNKNOWN, ofForm("https://other.example")),
  authorizing("a resource is absolute", "/api/v1", UNKNOWN),
  authorizing("a resource has no fragment", `${REST}#x`, UNKNOWN),
  authorizing("a resource has no empty fragment", `${REST}#`, UNKNOWN),
  authorizing("a resource with a query is another resource", `${REST}?x=1`, UNKNOWN),
  authorizing("a path below a resource is another resource", `${REST}/accounts`, UNKNOWN),
  authorizing("a host with the same beginning is another resource", `${ISSUER}.evil.example`, UNKNOWN),
  redeeming("a token for a granted resource is issued", { resource: REST }, ofForm(REST), ISSUED),
  redeeming(
    "a token for a granted resource with a trailing slash is issued",
    { resource: REST },
    ofForm(`${REST}/`),
    ISSUED,
  ),
  redeeming("a resource outside of the grant is invalid", { resource: REST }, ofForm(MCP), refused("invalid_target")),
  redeeming(
    "a grant for one resource does not cover all",
    { resource: REST },
    ofForm(ISSUER),
    refused("invalid_target"),
  ),
  redeeming("one outside among granted ones is", { resource: REST }, ofForm(REST, MCP), refused("invalid_target")),
  redeeming("an unknown one is", {}, ofForm("https://other.example"), refused("invalid_target")),
  redeeming("several granted resources are valid together", { resource: REST }, ofForm(REST, MCP), ISSUED, ofForm(MCP)),
  redeeming("a grant for all resources can be narrowed to one", {}, ofForm(MCP), ISSUED),
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
