import { describe, expect, test } from "vitest";

import { NEEDED } from "@/tests/support/factories";
import { bodyExample } from "@/lib/http/openapi/examples/bodies";
import { newId } from "@/lib/ids";
import { createOperation } from "@/lib/records/operations";
import { recoverWebhook } from "@/lib/webhooks/deliveries/recover-webhook";
import { run } from "@/tests/records/support/write-operations";
import { pool, transaction } from "@/tests/support/owner";
import { accepts, WebhookReceiver } from "@/tests/support/webhook-receiver";

import { clientOf } from "@/tests/webhooks/support/call-webhooks";
import { deliveriesOf, drainOnce } from "@/tests/webhooks/support/own-webhook";

const DAY = 24 * 3600 * 1000;
const ago = (milliseconds: number) => new Date(Date.now() - milliseconds).toISOString();

async function connected() {
  const receiver = await WebhookReceiver.start(accepts);
  const admin = await clientOf();
  const { body } = await admin.call("POST", "/webhooks", { url: receiver.url, events: ["account.*", "case.created"] });
  const { organizationId } = admin.context;
  const key = { organizationId, webhookId: body.id };
  const path = `/webhooks/${body.id}`;
  const change = async (resource: "accounts" | "cases" | "leads" = "accounts") =>
    run(createOperation(resource), admin.context, NEEDED[resource]);
  const set = (assignment: string, more = "true") =>
    pool().query(`UPDATE webhook_deliveries SET ${assignment} WHERE organization_id = $1 AND ${more}`, [
      organizationId,
    ]);
  const recover = (since: string) => admin.call("POST", `${path}/recover`, { since });
  return {
    ...admin,
    receiver,
    key,
    path,
    change,
    set,
    recover,
    [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose](),
  };
}

describe("recovering", () => {
  test("sends what happened while the webhook was off, of its types, and not what was delivered", async () => {
    await using world = await connected();
    await world.change();
    await drainOnce(world.key);
    const since = ago(60_000);
    await world.call("PATCH", world.path, { active: false });
    for (const resource of ["accounts", "cases", "leads"] as const) await world.change(resource);
    expect(await deliveriesOf(world.key)).toHaveLength(1);
    await world.call("PATCH", world.path, { active: true });
    const { status, body } = await world.recover(since);
    expect([status, body]).toEqual([202, { queued: 2 }]);
    await drainOnce(world.key);
    const sent = world.receiver.received.map(({ body: text }) => (JSON.parse(text) as { type: string }).type);
    expect(sent.toSorted()).toEqual(["account.created", "account.created", "case.created"]);
    expect((await deliveriesOf(world.key)).map(({ state }) => state)).toEqual(["delivered", "delivered", "delivered"]);
    expect((await world.recover(since)).body).toEqual({ queued: 0 });
  });

  test("sends a write that began while the webhook was off and commits during the recovery", async () => {
    await using world = await connected();
    await world.change();
    const since = ago(60_000);
    const write = `INSERT INTO events (organization_id, id, created_at, type, record_id, object)
      SELECT organization_id, $2, now(), type, record_id, object FROM events WHERE organization_id = $1`;
    const looking = `SELECT FROM pg_stat_activity WHERE datname = current_database()
        AND query LIKE '%pg_current_' || 'snapshot()) > $1%'`;
    const id = newId();
    const recovered = await transaction(async (client) => {
      await client.query(write, [world.key.organizationId, id]);
      const answer = world.recover(since);
      // Over a connection of the pool this could be the one that looks, of which it would then know no more.
      const isLooked = async () => {
        await client.query("SELECT pg_stat_clear_snapshot()");
        return (await client.query(looking)).rowCount;
      };
      await expect.poll(isLooked, { timeout: 10_000 }).toBeGreaterThan(0);
      return { answer };
    });
    expect((await recovered.answer).body).toEqual({ queued: 1 });
    expect((await deliveriesOf(world.key)).map(({ event_id }) => event_id)).toContain(id);
  });

  test("does not wait long for a write that does not end", async () => {
    await using world = await connected();
    await transaction(async (client) => {
      await client.query("SELECT pg_current_xact_id()");
      expect((await world.recover(ago(60_000))).body).toEqual({ queued: 0 });
    });
  });

  test("makes failed and waiting deliveries due, with all retries, and leaves the others in their turn", async () => {
    await using world = await connected();
    for (let count = 0; count < 4; count += 1) await world.change();
    const [failed, waiting, fresh, arrived] = (await deliveriesOf(world.key)).map(({ event_id }) => event_id);
    await world.set("state = 'failed', attempts = 8, tries = 8, next_attempt_at = NULL", `event_id = '${failed}'`);
    await world.set("attempts = 3, tries = 3, next_attempt_at = now() + interval '5 hours'", `event_id = '${waiting}'`);
    await world.set("next_attempt_at = now() + interval '1 minute'", `event_id = '${fresh}'`);
    await world.set("state = 'delivered', attempts = 1, next_attempt_at = NULL", `event_id = '${arrived}'`);
    expect((await world.recover(ago(60_000))).body).toEqual({ queued: 2 });
    const [first, second, third, fourth] = await deliveriesOf(world.key);
    for (const each of [first, second]) expect(each).toMatchObject({ state: "pending", tries: 0 });
    expect([first?.due_in ?? 1, second?.due_in ?? 1].every((seconds) => seconds <= 0)).toBe(true);
    expect([first?.attempts, second?.attempts]).toEqual([8, 3]);
    expect(third?.due_in).toBeGreaterThan(30);
    expect(fourth).toMatchObject({ state: "delivered", due_in: null });
    await drainOnce(world.key);
    expect(world.receiver.received.map(({ id }) => id).toSorted()).toEqual([failed, waiting].toSorted());
  });

  test("starts at the requested time, and not before the webhook was created", async () => {
    await using world = await connected();
    for (let count = 0; count < 3; count += 1) await world.change();
    const [first, second] = await deliveriesOf(world.key);
    await world.set("state = 'failed', attempts = 8, next_attempt_at = NULL");
    const { rows } = await pool().query<{ created_at: Date }>("SELECT created_at FROM events WHERE id = $1", [
      second?.event_id,
    ]);
    expect((await world.recover(rows[0]?.created_at.toISOString() ?? "")).body).toEqual({ queued: 2 });
    expect((await deliveriesOf(world.key)).map(({ state }) => state)).toEqual(["failed", "pending", "pending"]);
    await pool().query("DELETE FROM webhook_deliveries WHERE organization_id = $1", [world.key.organizationId]);
    await pool().query("UPDATE events SET created_at = now() - interval '2 days' WHERE id = $1", [first?.event_id]);
    expect((await world.recover(ago(3 * DAY))).body).toEqual({ queued: 2 });
    await pool().query("UPDATE webhooks SET created_at = now() - interval '9 days' WHERE id = $1", [
      world.key.webhookId,
    ]);
    expect((await world.recover(ago(3 * DAY))).body).toEqual({ queued: 1 });
  });

  test("queues many in batches, each once, and purges them with their events", async () => {
    await using world = await connected();
    await world.change();
    const { organizationId, webhookId } = world.key;
    const copy = `
      INSERT INTO events (organization_id, tx, id, created_at, type, record_id, object)
      SELECT $1, e.tx + n, overlay(gen_random_uuid()::text placing left(e.id::text, 15) from 1 for 15)::uuid,
        e.created_at, e.type, e.record_id, e.object
      FROM events e CROSS JOIN generate_series(1, 12000) AS n WHERE e.organization_id = $1`;
    await pool().query(copy, [organizationId]);
    expect((await world.recover(ago(60_000))).body).toEqual({ queued: 12_000 });
    const made = `SELECT count(*)::int AS deliveries,
        count(*) FILTER (WHERE d.created_at = e.created_at)::int AS with_their_event
      FROM webhook_deliveries d CROSS JOIN LATERAL (
        SELECT created_at FROM events e WHERE e.organization_id = d.organization_id AND e.tx = d.event_tx
          AND e.id = d.event_id LIMIT 1
      ) AS e WHERE d.organization_id = $1 AND d.webhook_id = $2`;
    expect((await pool().query(made, [organizationId, webhookId])).rows).toEqual([
      { deliveries: 12_001, with_their_event: 12_001 },
    ]);
    await world.set("state = 'failed', attempts = 8, next_attempt_at = NULL");
    expect((await world.recover(ago(60_000))).body).toEqual({ queued: 12_001 });
    expect((await world.call("GET", world.path)).body.pending_deliveries).toBe(10_000);
  });

  test("sends events of types that it has subscribed to only since", async () => {
    await using world = await connected();
    const since = ago(60_000);
    await world.change("leads");
    expect((await world.recover(since)).body).toEqual({ queued: 0 });
    await world.call("PATCH", world.path, { events: ["lead.created"] });
    expect((await world.recover(since)).body).toEqual({ queued: 1 });
  });

  test("does what the example of the reference asks, whatever day it is", async () => {
    await using world = await connected();
    expect(await world.call("POST", `${world.path}/recover`, bodyExample(recoverWebhook))).toMatchObject({
      status: 202,
      body: { queued: 0 },
    });
  });

  test("takes the present moment also from a clock that is a little ahead", async () => {
    await using world = await connected();
    expect(await world.recover(ago(-30_000))).toMatchObject({ status: 202, body: { queued: 0 } });
  });

  test("is refused while the webhook is off, and for what is long ago, in the future or no time", async () => {
    await using world = await connected();
    const old = await world.recover(ago(31 * DAY));
    expect([old.status, old.body.errors]).toMatchObject([
      400,
      [{ pointer: "/since", detail: expect.stringContaining("30 days") }],
    ]);
    const future = await world.recover(ago(-3_600_000));
    expect([future.status, future.body.errors]).toMatchObject([
      400,
      [{ pointer: "/since", code: "invalid_value", detail: expect.stringContaining("in the future") }],
    ]);
    for (const since of ["yesterday", "2026-11-20", "0000-01-01T00:00:00Z"]) {
      expect((await world.recover(since)).body.errors).toMatchObject([{ pointer: "/since" }]);
    }
    await world.call("PATCH", world.path, { active: false });
    expect(await world.recover(ago(1000))).toMatchObject({ status: 409, body: { code: "illegal_state" } });
  });
});
