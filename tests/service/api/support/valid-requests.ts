import { randomUUID } from "node:crypto";

import type { ApiRequest } from "@/tests/service/api/support/send-request";
import type { Operation } from "@/tests/service/api/support/document";
import type { TriedWebhook } from "@/tests/service/api/support/tried-webhook";
import type { Fixtures } from "@/tests/service/api/support/fixtures";
import { copyConnection, failRecord, setStatus } from "@/tests/service/setup/change-migration";

type Body = Record<string, unknown>;

/** Texts that may differ from request to request, so that no two requests are equal. */
const FREE_TEXTS = new Set(["name", "subject", "last_name", "body", "reason"]);

/** Bodies that the document's examples cannot be used for, because they refer to existing records. */
const BODIES: Record<string, (fixtures: Fixtures) => Promise<Body>> = {
  analyze_migration: async ({ org }) => ({ ext_instance_url: org.instanceUrl, ext_access_token: org.accessToken }),
  run_migration: async ({ copy }) => ({ migration_id: await copy() }),
  reconnect_migration: async ({ org }) => ({ ext_access_token: org.accessToken }),
  authorize_connection: async () => ({ login_url: "https://test.salesforce.com" }),
  create_webhook: async ({ receiver }) => ({
    url: receiver.url,
    events: ["account.*", "lead.converted"],
    generate_secret: true,
  }),
  rotate_webhook_secret: async () => ({ secret: `secret ${randomUUID()}` }),
  recover_webhook: async () => ({ since: new Date(Date.now() - 3_600_000).toISOString() }),
  make_inactive_members: async () => ({ users: [{ id: "005Hs00000QrStuIAF", name: `Ben ${randomUUID()}` }] }),
  preview_migration: async () => ({ object: "Contact", count: 2 }),
  schedule_migration_deltas: async () => ({ every_minutes: 30 }),
  preview_migration_duplicates: async () => ({
    configuration: { objects: { Account: { duplicates: { rules: [{ match: [{ fields: ["name"] }] }] } } } },
  }),
  decide_migration_conflicts: async () => ({ object: "Contact", take: "ours" }),
  import_migration_configuration: async () => ({
    format: "crm-migration-configuration",
    version: 1,
    configuration: { objects: { Event: { selected: false } } },
  }),
  put_migration_configuration: async () => ({ objects: { Event: { selected: false } } }),
};

/** The status that a migration must have. */
const FROM_STATUS: Record<string, string> = {
  prove_migration: "completed",
  pause_migration: "running",
  cancel_migration: "running",
  resume_migration: "paused",
  undo_migration: "completed",
  schedule_migration_deltas: "completed",
};

/** The required parameters of queries. */
const QUERIES: Record<string, string> = { search_records: "?q=neckar" };

/** What a migration allows once it has run and failed to import a record. */
const AFTER_A_FAILURE = new Set(["retry_migration", "start_migration_delta"]);

/** What a migration allows once it has run. */
const AFTER_A_RUN = new Set(["get_migration_proof"]);

async function migrationFor(fixtures: Fixtures, operationId: string): Promise<string> {
  if (AFTER_A_RUN.has(operationId)) return fixtures.completed();
  if (AFTER_A_FAILURE.has(operationId)) return withFailedRecord(fixtures);
  const status = FROM_STATUS[operationId];
  if (!status) return fixtures.migration();
  const id = await fixtures.copy();
  await setStatus(fixtures.organizationId, id, status);
  return id;
}

async function withFailedRecord({ organizationId, copy }: Fixtures): Promise<string> {
  const id = await copy();
  await failRecord(organizationId, id);
  return id;
}

/** A valid request for an operation, made from the document's examples and existing records. */
export async function validRequest(fixtures: Fixtures, operation: Operation): Promise<ApiRequest> {
  const path = `${await fillPath(fixtures, operation)}${QUERIES[operation.operationId] ?? ""}`;
  const apiRequest = { path, token: fixtures.tokens.writer };
  return operation.requestBody ? { ...apiRequest, body: await validBody(fixtures, operation) } : apiRequest;
}

/** The body of a valid request for an operation. */
export async function validBody(fixtures: Fixtures, operation: Operation): Promise<Body> {
  const { operationId, resource } = operation;
  const written = BODIES[operationId];
  if (written) return written(fixtures);
  const example = exampleOf(operation);
  if (operationId.startsWith("batch_")) return batchOf(fixtures, resource, example);
  const creates = operation.method === "PUT" || operationId.startsWith("create_");
  return creates ? forCreation(fixtures, operation, example) : freshen(example);
}

/** Creates a record of a resource and returns it. */
export async function createRecord(
  fixtures: Fixtures,
  resource: string,
  more: Body = {},
): Promise<Body & { id: string; ext_id: string }> {
  const body = { ...(await validBody(fixtures, operationAt(fixtures, "POST", `/${resource}`))), ...more };
  return (await fixtures.make("POST", `/${resource}`, body)) as Body & { id: string; ext_id: string };
}

/** An id that no record has. */
export const NOBODY = "01900000-0000-7000-8000-000000000000";

/** The path with ids that do not exist. */
export function emptyPath({ path, operationId }: Operation): string {
  return path.replaceAll(/\{\w+\}/g, NOBODY) + (QUERIES[operationId] ?? "");
}

async function fillPath(fixtures: Fixtures, operation: Operation): Promise<string> {
  const { operationId, path, resource } = operation;
  if (path.includes("{connection_id}"))
    return path.replace("{connection_id}", await copyConnection(fixtures.organizationId, await fixtures.migration()));
  if (path.includes("{migration_id}")) return path.replace("{migration_id}", await migrationFor(fixtures, operationId));
  if (path.includes("{ext_id}"))
    return path.replace("{ext_id}", encodeURIComponent((await createRecord(fixtures, resource)).ext_id));
  if (!path.includes("{id}")) return path;
  if (resource === "files") return path.replace("{id}", await fixtures.file());
  if (resource === "users") return path.replace("{id}", fixtures.userId);
  if (resource === "webhooks" && operation.method !== "DELETE") return webhookPath(path, await fixtures.webhook());
  const { id } = await createRecord(fixtures, resource);
  if (operationId.startsWith("restore_")) await fixtures.make("DELETE", `/${resource}/${id}`);
  return path.replace("{id}", id);
}

function webhookPath(path: string, { id, event_id }: TriedWebhook): string {
  return path.replace("{id}", id).replace("{event_id}", event_id);
}

function exampleOf({ requestBody }: Operation): Body {
  return requestBody?.content["application/json"].example ?? {};
}

/** The example without its references to other records, and with unique values. */
async function forCreation(fixtures: Fixtures, { path, resource }: Operation, example: Body): Promise<Body> {
  const own = Object.fromEntries(Object.entries(freshen(example)).filter(([name]) => !name.endsWith("_id")));
  return {
    ...own,
    ...(!path.includes("{ext_id}") && { ext_id: randomUUID() }),
    ...("sku" in own && { sku: randomUUID() }),
    ...(resource === "case_comments" && { case_id: (await createRecord(fixtures, "cases")).id }),
  };
}

function freshen(example: Body): Body {
  const freshened = Object.entries(example).map(([name, value]) => {
    if (typeof value === "string" && FREE_TEXTS.has(name)) return [name, `${value} ${randomUUID()}`];
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value) && name !== "custom_fields";
    return [name, isObject ? freshen(value as Body) : value];
  });
  return Object.fromEntries(freshened) as Body;
}

/** A creation, an upsert of a new record, and a change of an existing record in its current version. */
async function batchOf(fixtures: Fixtures, resource: string, { mode }: Body): Promise<Body> {
  const one = (method: string, path = `/${resource}`) => operationAt(fixtures, method, path);
  const { id, version } = await createRecord(fixtures, resource);
  return {
    mode,
    items: [
      { action: "create", data: await validBody(fixtures, one("POST")) },
      {
        action: "upsert",
        ext_id: randomUUID(),
        data: await validBody(fixtures, one("PUT", `/${resource}/by_ext_id/{ext_id}`)),
      },
      { action: "update", id, if_match: version, data: exampleOf(one("PATCH", `/${resource}/{id}`)) },
    ],
  };
}

function operationAt(fixtures: Fixtures, method: string, path: string): Operation {
  const found = [...fixtures.operations.values()].find(
    (operation) => operation.method === method && operation.path === path,
  );
  if (!found) throw new Error(`There is no ${method} ${path}.`);
  return found;
}
