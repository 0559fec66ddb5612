import { createServer } from "node:http";

import { freePort } from "@/scripts/service/free-port";
import type { PresetName } from "@/sandbox-org/faults/presets";
import type { Operation } from "@/tests/service/api/support/document";
import type { MakeRefused, Refused } from "@/tests/service/api/support/refusals";
import { createRecord, NOBODY, validBody, validRequest } from "@/tests/service/api/support/valid-requests";
import type { Fixtures } from "@/tests/service/api/support/fixtures";
import {
  connectAsAnother,
  failRecord,
  reportAsAnother,
  connectBySignIn,
  fillConnections,
  keepAnalyzing,
  restoreConnection,
  setStatus,
} from "@/tests/service/setup/change-migration";
import { takeAddress } from "@/tests/service/setup/take-address";
import { listen } from "@/tests/support/hosts";

/** Refusals of every resource because of another record, by the beginning of the operation's name. */
const CONFLICTS: Record<string, MakeRefused> = {
  create: async (fixtures, operation) => {
    const apiRequest = await validRequest(fixtures, operation);
    const { ext_id } = await createRecord(
      fixtures,
      operation.path.endsWith("/comments") ? "case_comments" : operation.resource,
    );
    return { ...apiRequest, body: { ...(apiRequest.body as object), ext_id } };
  },
  update: async (fixtures, operation) => {
    const { ext_id } = await createRecord(fixtures, operation.resource);
    return { ...(await validRequest(fixtures, operation)), body: { ext_id } };
  },
  upsert: async (fixtures, operation) => {
    const { sku } = await createRecord(fixtures, operation.resource);
    return { ...(await validRequest(fixtures, operation)), body: { sku } };
  },
  restore: async (fixtures, operation) => {
    const { id, ext_id } = await createRecord(fixtures, operation.resource);
    await fixtures.make("DELETE", `/${operation.resource}/${id}`);
    await createRecord(fixtures, operation.resource, { ext_id });
    return { path: operation.path.replace("{id}", id), token: fixtures.tokens.writer };
  },
  batch: async (fixtures, operation) => {
    const { items } = (await validBody(fixtures, operation)) as { items: [{ data: object }] };
    const { ext_id } = await createRecord(fixtures, operation.resource);
    const item = { ...items[0], data: { ...items[0].data, ext_id } };
    return { path: operation.path, token: fixtures.tokens.writer, body: { mode: "all_or_nothing", items: [item] } };
  },
  // Actions that are possible only once.
  convert: twice,
  run: async (fixtures, operation) => {
    const migration_id = await fixtures.copy();
    const finish = await connectAsAnother(fixtures.organizationId, migration_id);
    return { path: operation.path, token: fixtures.tokens.writer, body: { migration_id }, finish };
  },
};

/** After a run, with a connection that leads to another user by now. */
async function ofAnotherUser(fixtures: Fixtures, { path }: Operation): Promise<Refused> {
  const id = await fixtures.copy();
  await failRecord(fixtures.organizationId, id);
  const finish = await connectAsAnother(fixtures.organizationId, id);
  return { path: path.replace("{migration_id}", id), token: fixtures.tokens.writer, finish };
}

/** Names the connection that all migrations have, by sign-in at the org, which then refuses its token. */
async function ofSignedIn(fixtures: Fixtures, operation: Operation): Promise<Refused> {
  const { organizationId, org, tokens } = fixtures;
  const { path } = await validRequest(fixtures, operation);
  const id = await fixtures.migration();
  const connection_id = await connectBySignIn(organizationId, id);
  await org.setRules([{ pathPattern: RESOURCES, preset: "INVALID_SESSION_ID" }]);
  const finish = async () => {
    await org.setRules([]);
    await restoreConnection(organizationId, id);
  };
  return { path, token: tokens.writer, body: { connection_id }, finish };
}

async function twice(fixtures: Fixtures, operation: Operation): Promise<Refused> {
  const apiRequest = await validRequest(fixtures, operation);
  await fixtures.make(operation.method, apiRequest.path, apiRequest.body);
  return apiRequest;
}

async function whileAnalyzing(fixtures: Fixtures, operation: Operation): Promise<Refused> {
  const migration_id = await fixtures.copy();
  await keepAnalyzing(fixtures.organizationId, migration_id);
  const isInPath = operation.path.includes("{migration_id}");
  const path = operation.path.replace("{migration_id}", migration_id);
  const body = isInPath && operation.requestBody ? await validBody(fixtures, operation) : undefined;
  const target = isInPath ? { path, ...(body && { body }) } : { path, body: { migration_id } };
  // An organization may have few analyses at once.
  const finish = () => setStatus(fixtures.organizationId, migration_id, "ready");
  return { ...target, token: fixtures.tokens.writer, finish };
}

/** A converted lead, which cannot be changed. */
async function convertedLead(fixtures: Fixtures): Promise<{ id: string; ext_id: string }> {
  const lead = await createRecord(fixtures, "leads");
  await fixtures.make("POST", `/leads/${lead.id}/convert`, {});
  return lead;
}

const CHANGE = { last_name: "Other" };

/** Connects to the org while it answers some of its paths with a preset. */
function connecting(pathPattern: string, preset: PresetName): MakeRefused {
  return async (fixtures, operation) => {
    const apiRequest = await validRequest(fixtures, operation);
    const body =
      operation.operationId === "authorize_connection" ? { login_url: fixtures.org.instanceUrl } : apiRequest.body;
    await fixtures.org.setRules([{ pathPattern, preset }]);
    return { ...apiRequest, body, finish: () => fixtures.org.setRules([]) };
  };
}

/** The org answers in another way than Salesforce while it is connected. */
function answering(rule: Parameters<Fixtures["org"]["setRules"]>[0]): MakeRefused {
  return async (fixtures, operation) => {
    const apiRequest = await validRequest(fixtures, operation);
    await fixtures.org.setRules(rule);
    return { ...apiRequest, finish: () => fixtures.org.setRules([]) };
  };
}

function namingNobody(field: string): MakeRefused {
  return async ({ tokens }, { path }) => ({ path, token: tokens.writer, body: { [field]: NOBODY } });
}

/** Names another host than the org's. */
function hostAt(find: () => Promise<{ url: string; finish?: () => Promise<unknown> }>): MakeRefused {
  return async ({ tokens, org }, { path, operationId }) => {
    const { url, finish } = await find();
    const body =
      operationId === "authorize_connection"
        ? { login_url: url }
        : { ext_instance_url: url, ext_access_token: org.accessToken };
    return { path, token: tokens.writer, body, ...(finish && { finish }) };
  };
}

const noAddress = hostAt(async () => ({ url: "not an address" }));
const nobodyThere = hostAt(async () => ({ url: `http://127.0.0.1:${await freePort()}` }));
const notSalesforce = hostAt(async () => {
  const server = createServer((_, response) =>
    response.writeHead(200, { "content-type": "text/html" }).end("<html></html>"),
  );
  return { url: await listen(server), finish: async () => server.close() };
});

/**
 * The first request without a token, and the first one with it. Analyses of other tests in parallel send other
 * requests.
 */
const VERSIONS = "^/services/data/?$";
const RESOURCES = "^/services/data/v[0-9.]+/?$";

const MAX_WEBHOOKS = 50;

/** Creates as many webhooks as an organization may have, and deletes them afterwards. */
async function noRoomForWebhooks(fixtures: Fixtures, operation: Operation): Promise<Refused> {
  const { data } = await fixtures.make("GET", `/webhooks?limit=${MAX_WEBHOOKS}`);
  const more = Array.from({ length: MAX_WEBHOOKS - (data as object[]).length }, () =>
    createRecord(fixtures, "webhooks"),
  );
  const paths = (await Promise.all(more)).map(({ id }) => `/webhooks/${id}`);
  return {
    ...(await validRequest(fixtures, operation)),
    finish: () => Promise.all(paths.map((path) => fixtures.make("DELETE", path))),
  };
}

/** A webhook with pending deliveries that is switched off. */
async function switchedOff(fixtures: Fixtures, operation: Operation): Promise<Refused> {
  const { id } = await createRecord(fixtures, "webhooks");
  const path = `/webhooks/${id}`;
  await createRecord(fixtures, "accounts");
  const { data } = await fixtures.make("GET", `${path}/deliveries?event=account.created`);
  const [{ event_id }] = data as [{ event_id: string }];
  await fixtures.make("PATCH", path, { active: false });
  const body = operation.requestBody && (await validBody(fixtures, operation));
  const target = operation.path.replace("{id}", id).replace("{event_id}", event_id);
  return {
    path: target,
    token: fixtures.tokens.writer,
    ...(body && { body }),
    finish: () => fixtures.make("DELETE", path),
  };
}

/** Refusals of single operations, by operation and code. */
const BY_OPERATION: Record<string, MakeRefused> = {
  "escalate_case illegal_state": twice,
  "update_lead illegal_state": async (fixtures) => ({
    path: `/leads/${(await convertedLead(fixtures)).id}`,
    token: fixtures.tokens.writer,
    body: CHANGE,
  }),
  "upsert_lead illegal_state": async (fixtures) => {
    const { ext_id } = await convertedLead(fixtures);
    return { path: `/leads/by_ext_id/${encodeURIComponent(ext_id)}`, token: fixtures.tokens.writer, body: CHANGE };
  },
  "batch_leads illegal_state": async (fixtures, { path }) => {
    const { id } = await convertedLead(fixtures);
    return {
      path,
      token: fixtures.tokens.writer,
      body: { mode: "all_or_nothing", items: [{ action: "update", id, data: CHANGE }] },
    };
  },
  "create_webhook conflict": noRoomForWebhooks,
  "recover_webhook illegal_state": switchedOff,
  "resend_webhook_delivery illegal_state": switchedOff,
  "run_migration illegal_state": whileAnalyzing,
  "get_migration_report illegal_state": whileAnalyzing,
  "download_migration_report illegal_state": whileAnalyzing,
  "put_migration_configuration illegal_state": whileAnalyzing,
  "export_migration_configuration illegal_state": whileAnalyzing,
  "import_migration_configuration illegal_state": whileAnalyzing,
  "check_migration_configuration illegal_state": whileAnalyzing,
  "list_migration_relationships illegal_state": whileAnalyzing,
  "make_inactive_members illegal_state": whileAnalyzing,
  "make_inactive_members conflict": async (fixtures, operation) => {
    const id = "005Hs00000QrStvIAF";
    const finish = await takeAddress(`${id.toLowerCase()}@${fixtures.organizationId}.invalid`);
    return { ...(await validRequest(fixtures, operation)), body: { users: [{ id, name: "Ada" }] }, finish };
  },
  "list_migration_owners illegal_state": whileAnalyzing,
  "preview_migration_duplicates illegal_state": whileAnalyzing,
  "preview_migration illegal_state": whileAnalyzing,
  "pause_migration illegal_state": whileAnalyzing,
  "resume_migration illegal_state": whileAnalyzing,
  "cancel_migration illegal_state": whileAnalyzing,
  "retry_migration illegal_state": whileAnalyzing,
  "retry_migration conflict": ofAnotherUser,
  "start_migration_delta illegal_state": whileAnalyzing,
  "start_migration_delta conflict": ofAnotherUser,
  "schedule_migration_deltas illegal_state": whileAnalyzing,
  "reconnect_migration illegal_state": whileAnalyzing,
  "reconnect_migration conflict": async (fixtures, operation) => {
    const { body } = await validRequest(fixtures, operation);
    const migration_id = await fixtures.copy();
    await reportAsAnother(fixtures.organizationId, migration_id);
    return { path: operation.path.replace("{migration_id}", migration_id), body, token: fixtures.tokens.writer };
  },
  "reconnect_migration source_unreachable": answering([{ pathPattern: VERSIONS, action: "reset" }]),
  "reconnect_migration source_not_salesforce": answering([
    { pathPattern: VERSIONS, status: 200, body: "<html></html>", headers: { "content-type": "text/html" } },
  ]),
  "reconnect_migration source_token_refused": connecting(RESOURCES, "INVALID_SESSION_ID"),
  "reconnect_migration source_api_disabled": connecting(RESOURCES, "API_DISABLED_FOR_ORG"),
  "reconnect_migration source_access_denied": connecting(RESOURCES, "PASSWORD_EXPIRED"),
  "reconnect_migration source_limit_exceeded": connecting(RESOURCES, "REQUEST_LIMIT_EXCEEDED"),
  "reconnect_migration source_error": connecting(RESOURCES, "SERVER_UNAVAILABLE"),
  "reconnect_migration source_sign_in_not_set_up": ofSignedIn,
  "search_records insufficient_scope": async ({ tokens }, { path }) => ({
    path: `${path}?q=neckar&objects=contacts`,
    token: tokens.erp,
  }),
  "undo_migration illegal_state": whileAnalyzing,
  "decide_migration_conflicts illegal_state": whileAnalyzing,
  "prove_migration illegal_state": whileAnalyzing,
  "prove_migration conflict": ofAnotherUser,
  "run_migration not_found": namingNobody("migration_id"),
  "analyze_migration not_found": namingNobody("connection_id"),
  "analyze_migration conflict": async (fixtures, operation) => ({
    ...(await validRequest(fixtures, operation)),
    finish: await fillConnections(fixtures.organizationId),
  }),
  "analyze_migration source_url_invalid": noAddress,
  "analyze_migration source_unreachable": nobodyThere,
  "analyze_migration source_not_salesforce": notSalesforce,
  "analyze_migration source_token_refused": connecting(RESOURCES, "INVALID_SESSION_ID"),
  "analyze_migration source_api_disabled": connecting(RESOURCES, "API_DISABLED_FOR_ORG"),
  "analyze_migration source_access_denied": connecting(RESOURCES, "PASSWORD_EXPIRED"),
  "analyze_migration source_limit_exceeded": connecting(RESOURCES, "REQUEST_LIMIT_EXCEEDED"),
  "analyze_migration source_error": connecting(RESOURCES, "SERVER_UNAVAILABLE"),
  "analyze_migration source_sign_in_not_set_up": ofSignedIn,
  "authorize_connection source_url_invalid": noAddress,
  "authorize_connection source_unreachable": nobodyThere,
  "authorize_connection source_not_salesforce": notSalesforce,
  "authorize_connection source_limit_exceeded": connecting(VERSIONS, "CONCURRENT_REQUESTS"),
  "authorize_connection source_error": connecting(VERSIONS, "SERVER_UNAVAILABLE"),
  "authorize_connection source_sign_in_not_set_up": validRequest,
};

/** How to make an operation refuse with a code of its own. Undefined if it is not listed here. */
export function refusalByHand({ operationId }: Operation, code: string): MakeRefused | undefined {
  return (
    BY_OPERATION[`${operationId} ${code}`] ??
    (code === "conflict" ? CONFLICTS[operationId.split("_", 1)[0] ?? ""] : undefined)
  );
}

/** The refusals listed for one operation, to check that each is used. */
export const BY_HAND = Object.keys(BY_OPERATION);
