import { setTimeout as pause } from "node:timers/promises";

import { type RunningOrg, startSandboxOrg } from "@/sandbox-org/start";
import { type Answer, sendRequest } from "@/tests/service/api/support/send-request";
import { type Document, type Operation, operationsOf } from "@/tests/service/api/support/document";
import { grantTo } from "@/tests/service/support/grant-to";
import { type Make, type TriedWebhook, tryWebhook } from "@/tests/service/api/support/tried-webhook";
import { copyMigration } from "@/tests/service/setup/change-migration";
import { ownOrganization } from "@/tests/service/setup/own-organization";
import { queryAsOwner } from "@/tests/service/setup/query-as-owner";
import { WebhookReceiver } from "@/tests/support/webhook-receiver";

const REDIRECT_URI = "http://127.0.0.1:53686/callback";
const POLL_EVERY_MS = 100;

/** One client per purpose, because each has a separate rate limit. */
const ALL = ["crm:read", "crm:write"];
const SCOPES = { writer: ALL, reader: ["crm:read"], erp: ["erp:read"], spent: ALL, member: ALL, full: ALL };

type Send = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>;

/**
 * An organization with everything that requests need. It is set up through the service directly, without a validator.
 */
export interface Fixtures {
  organizationId: string;
  /** The admin. */
  userId: string;
  operations: ReadonlyMap<string, Operation>;
  /** Tokens of the admin, except that of the member and that of an organization whose storage is full. */
  tokens: Record<keyof typeof SCOPES, string>;
  /** A Salesforce org whose answers tests control. */
  org: RunningOrg;
  /** Receives deliveries of webhooks. */
  receiver: WebhookReceiver;
  send: Send;
  /** Like `send`, to the tested web process. */
  sendToWeb: Send;
  /** Like `send`, for requests that must succeed. */
  make: Make;
  /** The id of an analyzed migration, always the same. Tests must not run it. */
  migration: () => Promise<string>;
  /** The id of a new copy of the analyzed migration. It has the same connection. */
  copy: () => Promise<string>;
  /** The id of a migration that has run to its end and was proven, always the same. */
  completed: () => Promise<string>;
  /** The id of a file that a migration has copied, always the same. */
  file: () => Promise<string>;
  /** Always the same one. Tests must not delete it or switch it off. */
  webhook: () => Promise<TriedWebhook>;
  stop: () => Promise<void>;
}

/** Makes the organization's measured storage exceed any quota. */
async function fillStorage(organizationId: string): Promise<void> {
  await queryAsOwner(
    "UPDATE organizations SET storage_bytes = 1e15, storage_measured_at = now() + interval '1 hour' WHERE id = $1",
    [organizationId],
  );
}

/** Runs an analyzed migration, and proves it. */
async function complete(make: Make, migration_id: string): Promise<string> {
  await make("POST", "/migration/run", { migration_id, configuration: { files: { copy: true } } });
  await leaves(make, `/migration/${migration_id}`, "running");
  await make("POST", `/migration/${migration_id}/proof`);
  await leaves(make, `/migration/${migration_id}/proof`, "pending");
  return migration_id;
}

/** Polls until what is at `path` no longer has a status. */
async function leaves(make: Make, path: string, status: string): Promise<void> {
  while ((await make("GET", path)).status === status) await pause(POLL_EVERY_MS);
}

export async function createFixtures(document: Document, origins: { service: string; web: string }): Promise<Fixtures> {
  const baseUrl = origins.service;
  const [{ organizationId, admin, member }, org] = await Promise.all([
    ownOrganization(baseUrl),
    startSandboxOrg({ records: 200 }),
  ]);
  const full = await ownOrganization(baseUrl);
  const people = { member, full: full.admin };
  const receiver = await WebhookReceiver.start();
  const tokens: Partial<Fixtures["tokens"]> = {};
  for (const [name, scopes] of Object.entries(SCOPES)) {
    const client = await (name === "full" ? full.admin : admin).settings.register(REDIRECT_URI, scopes);
    const { browser } = people[name as keyof typeof people] ?? admin;
    tokens[name as keyof typeof SCOPES] = (
      await grantTo(browser, { baseUrl, client, redirectUri: REDIRECT_URI })
    ).accessToken;
  }
  // Only now: its client could not be registered.
  await fillStorage(full.organizationId);
  const token = tokens.writer ?? "";
  const sendTo =
    (origin: string): Send =>
    (method, path, body, headers = {}) =>
      sendRequest(`${origin}/api/v1`, method, { path, token, body, headers });
  const [send, sendToWeb] = [sendTo(baseUrl), sendTo(origins.web)];
  const make: Make = async (method, path, body) => {
    const answer = await send(method, path, body);
    if (answer.status >= 300 || !answer.body)
      throw new Error(`${method} ${path} was answered ${answer.status}: ${answer.text}`);
    return answer.body;
  };
  const analyze = async (): Promise<string> => {
    const { migration_id: id } = await make("POST", "/migration/analyze", {
      ext_instance_url: org.instanceUrl,
      ext_access_token: org.accessToken,
    });
    for (;;) {
      const { status } = await make("GET", `/migration/${String(id)}`);
      if (status === "ready") return String(id);
      if (status !== "analyzing") throw new Error(`The analysis ended as ${String(status)}.`);
      await pause(POLL_EVERY_MS);
    }
  };
  let analyzed: Promise<string> | undefined;
  const migration = () => (analyzed ??= analyze());
  const copy = async () => copyMigration(organizationId, await migration());
  let ended: Promise<string> | undefined;
  const completed = () => (ended ??= copy().then((id) => complete(make, id)));
  const file = async () => {
    await completed();
    const { data } = await make("GET", "/files?limit=1");
    return (data as { id: string }[])[0]?.id ?? "";
  };
  let tried: Promise<TriedWebhook> | undefined;
  const webhook = () => (tried ??= tryWebhook(make, receiver));
  const operations = new Map(operationsOf(document).map((operation) => [operation.operationId, operation]));
  const stop = async (): Promise<void> => {
    // No delivery may be tried again at a port that another program may use by then.
    const { data } = await make("GET", "/webhooks?limit=200");
    for (const { id } of data as { id: string }[]) await make("DELETE", `/webhooks/${id}`);
    await Promise.all([org.stop(), receiver[Symbol.asyncDispose]()]);
  };
  const fixed = {
    organizationId,
    userId: admin.userId,
    operations,
    tokens: tokens as Fixtures["tokens"],
    org,
    receiver,
  };
  return { ...fixed, send, sendToWeb, make, migration, copy, completed, file, webhook, stop };
}
