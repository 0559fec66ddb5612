import { beforeAll, expect, test } from "vitest";

import { newId } from "@/lib/ids";
import { createOperation } from "@/lib/records/operations";
import { run } from "@/tests/records/support/write-operations";
import { createContext, NEEDED } from "@/tests/support/factories";
import { accepts, WebhookReceiver } from "@/tests/support/webhook-receiver";

import { ASKED, type Caller, clientOf } from "@/tests/webhooks/support/call-webhooks";
import { deliveriesOf, drainOnce } from "@/tests/webhooks/support/own-webhook";

let own: Caller;
let foreign: Caller;
let webhookId = "";
let eventId = "";

const MARKER = "kept-from-strangers";

beforeAll(async () => {
  own = await clientOf();
  foreign = await clientOf();
  const asked = { url: `https://${MARKER}.example.com/`, description: MARKER, events: ["*"], active: true };
  webhookId = (await foreign.call("POST", "/webhooks", asked)).body.id;
  await run(createOperation("cases"), foreign.context, { subject: MARKER });
  eventId = (await deliveriesOf({ organizationId: foreign.context.organizationId, webhookId }))[0]?.event_id ?? "";
});

const ON_ONE = ["GET", "PATCH", "DELETE"].map((method) => `${method} /webhooks/{id}`);
const ACTIONS = ["rotate_secret", "test", "recover", "deliveries/{event_id}/resend"].map(
  (action) => `POST /webhooks/{id}/${action}`,
);
const LOGS = ["deliveries", "deliveries/{event_id}"].map((log) => `GET /webhooks/{id}/${log}`);

test.each([...ON_ONE, ...ACTIONS, ...LOGS])("%s knows nothing of another organization's webhook", async (each) => {
  expect(eventId).not.toBe("");
  const [method = "", path = ""] = each.replace("{id}", webhookId).replace("{event_id}", eventId).split(" ");
  const body = path.endsWith("recover") ? { since: new Date().toISOString() } : {};
  const before = await foreign.call("GET", `/webhooks/${webhookId}`);
  const { status, text } = await own.call(method, path, body);
  expect([status, text.includes(MARKER)]).toEqual([404, false]);
  expect(text).toContain("There is no webhook with this id");
  expect((await foreign.call("GET", `/webhooks/${webhookId}`)).body).toEqual(before.body);
});

test("another organization's event is not found behind a webhook of one's own", async () => {
  const { body } = await own.call("POST", "/webhooks", ASKED);
  for (const each of ["GET {}", "POST {}/resend"]) {
    const [method = "", path = ""] = each.replace("{}", `/webhooks/${body.id}/deliveries/${eventId}`).split(" ");
    expect(await own.call(method, path)).toMatchObject({
      status: 404,
      body: { detail: expect.stringContaining("no delivery") },
    });
  }
  expect((await own.call("GET", `/webhooks/${body.id}/deliveries?cursor=${eventId}`)).body.data).toEqual([]);
});

test.each(["", "?limit=1", "?cursor="])("lists hold nothing of another organization, with “%s”", async (query) => {
  const { body } = await own.call("GET", `/webhooks${query === "?cursor=" ? query + webhookId : query}`);
  expect(JSON.stringify(body)).not.toContain(MARKER);
  expect(body.data.map(({ id }) => id)).not.toContain(webhookId);
});

test("events are sent to webhooks of their own organization alone, and recovered from nowhere else", async () => {
  await using receiver = await WebhookReceiver.start(accepts);
  const created = await own.call("POST", "/webhooks", { url: receiver.url, events: ["*"] });
  const key = { organizationId: own.context.organizationId, webhookId: created.body.id };
  const stranger = await createContext();
  const ours = await run(createOperation("accounts"), own.context, NEEDED.accounts);
  for (const context of [foreign.context, stranger]) await run(createOperation("accounts"), context, { name: MARKER });
  await own.call("POST", `/webhooks/${key.webhookId}/recover`, {
    since: new Date(Date.now() - 3_600_000).toISOString(),
  });
  await drainOnce(key);
  const sent = receiver.received.map(
    ({ body }) => JSON.parse(body) as { organization_id: string; data: { object: { id: string } } },
  );
  expect(sent.map(({ organization_id, data }) => [organization_id, data.object.id])).toEqual([
    [key.organizationId, ours.id],
  ]);
});

test("a drain in the name of another organization sends nothing", async () => {
  await using receiver = await WebhookReceiver.start(accepts);
  const created = await own.call("POST", "/webhooks", { url: receiver.url, events: ["*"] });
  await run(createOperation("accounts"), own.context, NEEDED.accounts);
  for (const organizationId of [foreign.context.organizationId, newId()])
    await drainOnce({ organizationId, webhookId: created.body.id });
  expect(receiver.received).toEqual([]);
});
