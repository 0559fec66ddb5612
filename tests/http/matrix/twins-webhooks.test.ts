import { beforeEach, expect, test } from "vitest";

import { updateOperation } from "@/lib/records/operations";
import { recordJobs } from "@/tests/migration/support/api-service";
import { run } from "@/tests/records/support/write-operations";
import { pool } from "@/tests/support/owner";
import { accepts, WebhookReceiver } from "@/tests/support/webhook-receiver";
import { drainOnce } from "@/tests/webhooks/support/own-webhook";

import { callRoute } from "@/tests/http/support/call-route";
import { stateOf } from "@/tests/http/matrix/support/kept";
import type { Populated } from "@/tests/http/matrix/support/populated";
import { createTwins } from "@/tests/http/matrix/support/twins";

let ours: Populated;
let theirs: Populated;
let path: string;

beforeEach(async () => {
  recordJobs();
  ({ ours, theirs } = await createTwins());
  path = `/webhooks/${ours.webhook.id}`;
});

/** A request of ours that works, reveals nothing of theirs and changes nothing of theirs. */
async function ask(method: string, target: string, body?: unknown): Promise<Record<string, unknown>> {
  const before = await stateOf(theirs);
  const { status, text } = await callRoute(method, target, ours.bearer, body);
  expect([method, target, status < 300 || text]).toEqual([method, target, true]);
  expect(text).not.toContain(theirs.marker);
  expect(text).not.toContain(theirs.organizationId);
  expect(await stateOf(theirs)).toEqual(before);
  return JSON.parse(text) as Record<string, unknown>;
}

async function pendingOf({ organizationId, webhook }: Populated): Promise<number> {
  const text = `SELECT count(*)::int AS count FROM webhook_deliveries WHERE organization_id = $1 AND webhook_id = $2
      AND next_attempt_at IS NOT NULL AND state = 'pending'`;
  return (await pool().query<{ count: number }>(text, [organizationId, webhook.id])).rows[0]?.count ?? -1;
}

test("of webhooks, deliveries and attempts with the same ids in two organizations, each reads its own", async () => {
  const { webhook, marker } = ours;
  const waiting = await pendingOf(ours);
  await pool().query(
    "UPDATE webhook_deliveries SET state = 'pending', next_attempt_at = now() WHERE organization_id = $1",
    [theirs.organizationId],
  );
  expect(await ask("GET", path)).toMatchObject({ description: `${marker} webhook`, pending_deliveries: waiting });
  const delivery = { event_id: webhook.event_id, state: "failed", last_attempt: { error: `${marker} is why` } };
  expect(await ask("GET", `${path}/deliveries?event=webhook.test`)).toMatchObject({ data: [delivery] });
  const { attempts_log, request } = await ask("GET", `${path}/deliveries/${webhook.event_id}`);
  expect(attempts_log).toEqual([expect.objectContaining({ number: 1, response_body: `${marker} is why` })]);
  expect(request).toMatchObject({ body: { organization_id: ours.organizationId } });
});

test("changing, switching, rotating and deleting affect our webhook only", async () => {
  const { marker } = ours;
  expect(await ask("PATCH", path, { description: `${marker} changed`, active: false })).toMatchObject({
    active: false,
  });
  expect(await ask("PATCH", path, { active: true })).toMatchObject({ active: true });
  expect(await ask("POST", `${path}/rotate_secret`)).toMatchObject({ secret: expect.stringContaining("whsec_") });
  expect(await ask("DELETE", path)).toMatchObject({ deleted: true });
  const left = "SELECT FROM webhook_deliveries WHERE organization_id = $1 AND webhook_id = $2";
  const leftTo = async ({ organizationId }: Populated) =>
    (await pool().query(left, [organizationId, ours.webhook.id])).rowCount;
  expect([await leftTo(ours), Number(await leftTo(theirs)) > 3]).toEqual([0, true]);
});

test("number and state of another organization's webhooks do not affect ours", async () => {
  const { rows } = await pool().query<{ count: number }>(
    "SELECT count(*)::int AS count FROM webhooks WHERE organization_id = $1",
    [ours.organizationId],
  );
  await pool().query(
    `INSERT INTO webhooks (organization_id, id, created_at, updated_at, url_set_by_id, url, events, event_types)
     SELECT $1, gen_random_uuid(), now(), now(), $2, 'https://example.com', '{}', '{}' FROM generate_series(1, 60)`,
    [theirs.organizationId, theirs.userId],
  );
  await pool().query("UPDATE webhooks SET active = false WHERE organization_id = $1", [theirs.organizationId]);
  expect(await ask("POST", "/webhooks", { url: "https://hooks.example/", events: ["*"] })).toMatchObject({
    active: true,
  });
  expect((await ask("GET", "/webhooks?limit=200")).data).toHaveLength((rows[0]?.count ?? 0) + 1);
  const { data } = await ask("GET", `${path}/deliveries?event=account.updated`);
  const [{ event_id } = { event_id: "" }] = data as { event_id: string }[];
  expect(await ask("POST", `${path}/deliveries/${event_id}/resend`)).toMatchObject({ state: "pending" });
});

test("recovery takes our own failed deliveries and missed events, and queues for nobody else", async () => {
  const since = new Date(Date.now() - 3_600_000).toISOString();
  await pool().query(
    "DELETE FROM webhook_deliveries WHERE organization_id = $1 AND webhook_id = $2 AND state = 'pending'",
    [ours.organizationId, ours.webhook.id],
  );
  const missed = await pendingOf(theirs);
  expect(missed).toBeGreaterThan(3);
  // An event that only they have.
  await run(updateOperation("accounts"), theirs.context, { id: theirs.account, name: `${theirs.marker} again` });
  expect(await ask("POST", `${path}/recover`, { since })).toEqual({ queued: missed + 1 });
  expect(await ask("POST", `${path}/recover`, { since })).toEqual({ queued: 0 });
});

test("a change, a test and a drain send and record nothing of another organization", async () => {
  await using receiver = await WebhookReceiver.start(accepts);
  await using otherReceiver = await WebhookReceiver.start(accepts);
  const moveTo = "UPDATE webhooks SET url = $2 WHERE organization_id = $1";
  await pool().query(moveTo, [ours.organizationId, receiver.url]);
  await pool().query(moveTo, [theirs.organizationId, otherReceiver.url]);
  await ask("PATCH", `/accounts/${ours.account}`, { name: `${ours.marker} changed` });
  await ask("POST", `${path}/test`);
  for (const [side, endpoint, other, elsewhere] of [
    [ours, receiver, theirs, otherReceiver],
    [theirs, otherReceiver, ours, receiver],
  ] as const) {
    const before = [await stateOf(other), await pendingOf(side), elsewhere.received.length];
    await drainOnce({ organizationId: side.organizationId, webhookId: side.webhook.id });
    expect([await stateOf(other), endpoint.received.length, elsewhere.received.length]).toEqual(before);
    expect(await pendingOf(side)).toBe(0);
    for (const { body } of endpoint.received) {
      expect(JSON.parse(body)).toMatchObject({ organization_id: side.organizationId });
      expect(body).not.toContain(other.marker);
    }
  }
});
