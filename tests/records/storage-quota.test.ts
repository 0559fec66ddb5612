import { afterEach, beforeEach, expect, test } from "vitest";

import type { Context } from "@/lib/context";
import { inOrganization } from "@/lib/database/organization-scope";
import { env } from "@/lib/env";
import { newId } from "@/lib/ids";
import { analyzeMigration } from "@/lib/migration/analyze-migration";
import { putConfiguration } from "@/lib/migration/configuration/configure-migration";
import { scheduleDeltas, unscheduleDeltas } from "@/lib/migration/runs/delta-schedule";
import { rotateClientSecret } from "@/lib/oauth/clients/client-secrets";
import { createClient } from "@/lib/oauth/clients/register-client";
import { updateClient } from "@/lib/oauth/clients/update-client";
import { execute, type JsonText, type Operation } from "@/lib/operation";
import { batchOperation } from "@/lib/records/batch/batch-operation";
import {
  createOperation,
  deleteOperation,
  listOperation,
  restoreOperation,
  updateOperation,
} from "@/lib/records/operations";
import { recordAudit } from "@/lib/security/audit";
import { endMemberSessions, removeMember, updateMember } from "@/lib/sessions/members/change-member";
import { makePasswordLink } from "@/lib/sessions/members/password-link";
import { renameOneself } from "@/lib/sessions/people/rename-oneself";
import { updateOrganization } from "@/lib/settings/organization/update-organization";
import { flushStoredBytes, measureStorage, storedData } from "@/lib/storage-quota";
import { recoverWebhook } from "@/lib/webhooks/deliveries/recover-webhook";
import { resendDelivery } from "@/lib/webhooks/deliveries/resend-delivery";
import { sendTest } from "@/lib/webhooks/deliveries/send-test";
import { createWebhook } from "@/lib/webhooks/endpoints/create-webhook";
import { recordAttempts } from "@/lib/webhooks/sending/record-attempts";
import { createContext } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";
import { attemptsAt, deliveriesOf, openWebhook } from "@/tests/webhooks/support/own-webhook";

const HALF = {
  name: "Pump",
  description: "x".repeat(100_000),
  custom_fields: { noise: Array.from({ length: 1_000 }, (_, n) => `${n} ${Math.sin(n)}`) },
};

let context: Context;

beforeEach(async () => {
  env.STORAGE_QUOTA_MB = 1;
  context = await createContext();
});

afterEach(() => pool().query("DROP VIEW IF EXISTS unreadable, patience"));

const run = (operation: Operation, input: unknown) => execute(operation, context, input);
const create = () => run(createOperation("products"), HALF);

async function stored(): Promise<number> {
  await flushStoredBytes();
  const { rows } = await pool().query<{ bytes: string }>(
    "SELECT storage_bytes AS bytes FROM organizations WHERE id = $1",
    [context.organizationId],
  );
  return Number(rows[0]?.bytes);
}

async function measuredBytes({ organizationId }: Context): Promise<number> {
  await measureStorage(organizationId);
  return (await inOrganization(organizationId, () => storedData(organizationId))).bytes;
}

test("an organization stores until its measured quota is full; before, one could fill the disk for all", async () => {
  // Its counts are above the quota, but it was never measured, and it has less.
  await pool().query("UPDATE organizations SET storage_bytes = 2e6 WHERE id = $1", [context.organizationId]);
  await create();
  await expect.poll(stored).toBeLessThan(1e6);
  await pool().query("UPDATE organizations SET storage_bytes = 1e9 WHERE id = $1", [context.organizationId]);
  await flushStoredBytes();
  await expect(create()).rejects.toMatchObject({
    code: "storage_quota_exceeded",
    message: expect.stringContaining("1 MB"),
  });
});

async function fillStorage(): Promise<void> {
  await stored();
  await pool().query("UPDATE organizations SET storage_bytes = 1e9, storage_measured_at = now() WHERE id = $1", [
    context.organizationId,
  ]);
}

test("every write that stores is refused alike; reading and deleting continue", async () => {
  const { text } = (await create()) as JsonText;
  const { id } = JSON.parse(text) as { id: string };
  await fillStorage();
  const refused = { code: "storage_quota_exceeded" };
  await expect(create()).rejects.toMatchObject(refused);
  await expect(run(updateOperation("products"), { id, name: "Drill" })).rejects.toMatchObject(refused);
  const items = [{ action: "create", data: { name: "Drill" } }];
  await expect(run(batchOperation("products"), { mode: "per_item", items })).rejects.toMatchObject(refused);
  await run(listOperation("products"), {});
  await run(deleteOperation("products"), { id });
  await expect(run(restoreOperation("products"), { id })).rejects.toMatchObject(refused);
  const org = { ext_instance_url: "https://org.example", ext_access_token: "token" };
  await expect(run(analyzeMigration, org)).rejects.toMatchObject(refused);
  const webhook = {
    id: newId(),
    event_id: newId(),
    since: new Date().toISOString(),
    url: "https://shop.example/hooks",
    events: ["account.created"],
  };
  await expect(run(createWebhook, pick(webhook, "url", "events"))).rejects.toMatchObject(refused);
  await expect(run(sendTest, pick(webhook, "id"))).rejects.toMatchObject(refused);
  await expect(run(resendDelivery, pick(webhook, "id", "event_id"))).rejects.toMatchObject(refused);
  await expect(run(recoverWebhook, pick(webhook, "id", "since"))).rejects.toMatchObject(refused);
  await expect(run(putConfiguration, { migration_id: newId(), objects: {} })).rejects.toMatchObject(refused);
  const apiClient = { name: "Reporting", redirect_uris: ["https://client.example/callback"], scopes: ["crm:read"] };
  await expect(run(createClient, apiClient)).rejects.toMatchObject(refused);
  await expect(run(updateClient, { id: newId(), name: "Reports" })).rejects.toMatchObject(refused);
  await expect(run(renameOneself, { name: "Ada" })).rejects.toMatchObject(refused);
});

test("what could go to and fro is refused; what takes access away, or lets somebody back in, is not", async () => {
  await fillStorage();
  const refused = { code: "storage_quota_exceeded" };
  const [id, user_id, migration_id] = [newId(), newId(), newId()];
  await expect(run(updateOrganization, { name: "Alpine Works" })).rejects.toMatchObject(refused);
  await expect(run(rotateClientSecret, { id })).rejects.toMatchObject(refused);
  await expect(run(updateMember, { user_id, role: "admin" })).rejects.toMatchObject(refused);
  await expect(run(updateMember, { user_id, is_disabled: false })).rejects.toMatchObject(refused);
  await expect(run(scheduleDeltas, { migration_id, every_minutes: 15 })).rejects.toMatchObject(refused);
  const carriedOut = { code: "not_found" };
  await expect(run(updateMember, { user_id, role: "member" })).rejects.toMatchObject(carriedOut);
  await expect(run(updateMember, { user_id, is_disabled: true })).rejects.toMatchObject(carriedOut);
  await expect(run(endMemberSessions, { user_id })).rejects.toMatchObject(carriedOut);
  await expect(run(removeMember, { user_id })).rejects.toMatchObject(carriedOut);
  await expect(run(makePasswordLink, { user_id })).rejects.toMatchObject(carriedOut);
  await expect(run(unscheduleDeltas, { migration_id })).rejects.toMatchObject(carriedOut);
});

function pick(from: Record<string, unknown>, ...names: string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, from[name]]));
}

test("audit events count; before, changing a configuration to and fro stored without limit", async () => {
  const { organizationId } = context;
  const before = await stored();
  for (let count = 0; count < 10; count += 1) {
    const details = { migration_id: newId(), objects: ["accounts"] };
    await recordAudit(pool(), { organizationId, address: null }, "migration.configured", { details });
  }
  await expect.poll(stored).toBeGreaterThan(before + 3000);
});

test("what endpoints answer counts; before, one that answers 500 at length stored without limit", async () => {
  const url = "https://shop.example/hooks";
  const key = await openWebhook(context, { url });
  await run(createOperation("accounts"), { name: "Alpine Tools" });
  const [delivery] = await deliveriesOf(key);
  const attempt = {
    startedAt: performance.now(),
    latencyMs: 1,
    status: 500,
    error: "The endpoint answered 500; a delivery needs a 2xx.",
    headers: { noise: "n".repeat(16_000) },
    body: "ü".repeat(2_000),
    retryAfterMs: 0,
  };
  const failed = { eventId: delivery?.event_id ?? "", url, tries: 0, leasedUntil: new Date(), attempt };
  const before = await stored();
  await recordAttempts(key, [failed]);
  await recordAttempts(key, [failed]);
  expect(await attemptsAt(key)).toHaveLength(2);
  await expect.poll(stored).toBeGreaterThan(before + 40_000);
});

test("an organization that cannot be measured is refused by its count, not let through", async () => {
  await pool().query(
    "CREATE VIEW unreadable AS SELECT id AS organization_id, (1 / 0)::text AS fault FROM organizations",
  );
  await pool().query("GRANT SELECT ON unreadable TO PUBLIC");
  await pool().query("UPDATE organizations SET storage_bytes = 1e9 WHERE id = $1", [context.organizationId]);
  await create();
  await expect
    .poll(() => create().catch((refusal: unknown) => refusal))
    .toMatchObject({ code: "storage_quota_exceeded" });
  expect(await stored()).toBeGreaterThanOrEqual(1e9);
});

test("a measurement has ten minutes in all, and not one minute per statement", async () => {
  const patience = "repeat('x', (SELECT setting::int FROM pg_settings WHERE name = 'statement_timeout'))";
  await pool().query(
    `CREATE VIEW patience AS SELECT id AS organization_id, ${patience} AS milliseconds FROM organizations`,
  );
  await pool().query("GRANT SELECT ON patience TO PUBLIC");
  expect(await measuredBytes(context)).toBeGreaterThan(590_000);
});

test("deleted records and events count, and other organizations do not", async () => {
  const other = context;
  await create();
  context = await createContext();
  const before = await measuredBytes(context);
  const { text } = (await create()) as JsonText;
  const { id } = JSON.parse(text) as { id: string };
  const there = await measuredBytes(context);
  expect(there - before).toBeGreaterThan(20_000);
  await run(deleteOperation("products"), { id });
  expect(await measuredBytes(context)).toBeGreaterThanOrEqual(there);
  expect(await measuredBytes(other)).toBeLessThan(there * 1.1);
});
