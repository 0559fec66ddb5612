import { createHmac } from "node:crypto";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { create } from "@/tests/service/specification/support/entities";
import { deleteWebhooks } from "@/tests/service/specification/support/lists";
import { type Api, openApi, type Stored, UUID } from "@/tests/service/specification/support/service";
import { type Received, WebhookReceiver } from "@/tests/support/webhook-receiver";

let api: Api;
let receiver: WebhookReceiver;
beforeAll(async () => {
  api = await openApi();
  receiver = await WebhookReceiver.start();
});
afterAll(async () => {
  await deleteWebhooks(api, receiver.url);
  await receiver[Symbol.asyncDispose]();
});

/** The delivery about a new account to a webhook with a separate receiver. */
async function deliveryTo(fields: Record<string, unknown>): Promise<Received> {
  await using own = await WebhookReceiver.start();
  const { id } = await api.must("POST", "/webhooks", { url: own.url, events: ["account.created"], ...fields });
  await create(api, "accounts");
  await expect.poll(() => own.received, { timeout: 60_000 }).toHaveLength(1);
  await api.must("DELETE", `/webhooks/${id}`);
  return own.received[0] as Received;
}

/** The signature, computed as /docs/webhooks describes it. */
function signatureOf({ headers, body }: Received, key: Buffer | string): string {
  const signed = [headers["webhook-id"], headers["webhook-timestamp"], body].join(".");
  return `v1,${createHmac("sha256", key).update(signed).digest("base64")}`;
}

describe("2. Webhook, 4. POST /api/v1/webhooks", () => {
  test.each(["url", "events"])("%s is required", async (field) => {
    const answer = await api.post("/webhooks", { url: receiver.url, events: ["account.created"], [field]: undefined });
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ pointer: `/${field}`, code: "required" }] } });
  });

  test.each([
    ["a url that is none", { url: "not a URL" }],
    ["a url that is a number", { url: 7 }],
    ["events that are a string", { events: "account.created" }],
    ["no event", { events: [] }],
    ["events that are not strings", { events: [7] }],
    ["a secret that is not a string", { secret: 7 }],
  ])("%s is refused", async (_, change) => {
    const answer = await api.post("/webhooks", { url: receiver.url, events: ["account.created"], ...change });
    expect(answer.status).toBe(400);
  });

  test("secret is optional: it is created with url and events alone, and keeps them", async () => {
    const fields = { url: receiver.url, events: ["case.escalated", "lead.converted"] };
    const answer = await api.post<Stored>("/webhooks", fields);
    expect(answer).toMatchObject({ status: 201, body: { ...fields, id: expect.stringMatching(UUID) } });
    expect((await api.get(`/webhooks/${answer.body.id}`)).body).toMatchObject(fields);
  });

  test("GET /api/v1/webhooks: all webhooks of the current organization, without their secrets", async () => {
    const secret = `a secret of ours ${crypto.randomUUID()}`;
    const made: string[] = [];
    for (const fields of [{}, { secret }]) {
      made.push(
        (await api.must("POST", "/webhooks", { url: receiver.url, events: ["account.created"], ...fields })).id,
      );
    }
    const listed = await api.all("/webhooks");
    expect(listed.map(({ id }) => id)).toEqual(expect.arrayContaining(made));
    expect(JSON.stringify(listed)).not.toContain(secret);
  });
});

describe("6. When a secret was given at registration, each delivery carries an HMAC signature in its headers", () => {
  test("the receiver can verify authenticity, by a secret of its own", async () => {
    const secret = `a secret of ours ${crypto.randomUUID()}`;
    const delivery = await deliveryTo({ secret });
    expect(String(delivery.headers["webhook-signature"]).split(" ")).toEqual([signatureOf(delivery, secret)]);
  });

  test("the receiver can verify authenticity, by a secret in the form whsec_", async () => {
    const key = Buffer.from(crypto.getRandomValues(new Uint8Array(32)));
    const delivery = await deliveryTo({ secret: `whsec_${key.toString("base64")}` });
    expect(String(delivery.headers["webhook-signature"]).split(" ")).toEqual([signatureOf(delivery, key)]);
  });

  test("the secret itself is in no delivery", async () => {
    const secret = `a secret of ours ${crypto.randomUUID()}`;
    const { headers, body } = await deliveryTo({ secret });
    expect(JSON.stringify(headers) + body).not.toContain(secret);
  });

  test("without a secret there is no signature", async () => {
    const { headers } = await deliveryTo({});
    expect(headers).toHaveProperty("webhook-id");
    expect(Object.keys(headers).filter((name) => /signature/.test(name))).toEqual([]);
  });
});
