import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { create } from "@/tests/service/specification/support/entities";
import { deleteWebhooks } from "@/tests/service/specification/support/lists";
import { type Api, openApi, type Page, type Stored } from "@/tests/service/specification/support/service";
import { WebhookReceiver } from "@/tests/support/webhook-receiver";

/** The table of events: how to make each happen, and the record that it is about. */
const EVENTS: Record<string, () => Promise<Stored>> = {
  "opportunity.created": () => create(api, "opportunities"),
  "opportunity.updated": () => changed("opportunities", { next_step: "Call" }),
  "opportunity.deleted": () => deleted("opportunities"),
  "opportunity.stage_changed": () => changed("opportunities", { stage: "proposal" }),
  "case.created": () => create(api, "cases"),
  "case.updated": () => changed("cases", { priority: "high" }),
  "case.deleted": () => deleted("cases"),
  "case.escalated": () => acted("cases", "escalate", { reason: "The line is down." }),
  "lead.created": () => create(api, "leads"),
  "lead.updated": () => changed("leads", { title: "Buyer" }),
  "lead.deleted": () => deleted("leads"),
  "lead.converted": () => acted("leads", "convert", {}),
  "contact.created": () => create(api, "contacts"),
  "contact.updated": () => changed("contacts", { title: "Buyer" }),
  "contact.deleted": () => deleted("contacts"),
  "account.created": () => create(api, "accounts"),
  "account.updated": () => changed("accounts", { phone: "+49 711 555 0100" }),
  "account.deleted": () => deleted("accounts"),
};

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

type Watched = "opportunities" | "cases" | "leads" | "contacts" | "accounts";

async function changed(entity: Watched, change: object): Promise<Stored> {
  return api.must("PATCH", `/${entity}/${(await create(api, entity)).id}`, change);
}

async function deleted(entity: Watched): Promise<Stored> {
  const record = await create(api, entity);
  await api.must("DELETE", `/${entity}/${record.id}`);
  return record;
}

async function acted(entity: Watched, action: string, body: object): Promise<Stored> {
  const record = await create(api, entity);
  await api.must("POST", `/${entity}/${record.id}/${action}`, body);
  return record;
}

interface Delivered {
  type: string;
  data: { object: Stored };
}

/** The events about a record that a new webhook subscribed to `events` receives, at a separate path. */
async function deliveriesAbout(events: string[], happen: () => Promise<Stored>) {
  const webhook = await api.must("POST", "/webhooks", { url: receiver.url, events });
  const record = await happen();
  const arrived = () =>
    receiver.received
      .map(({ body }) => JSON.parse(body) as Delivered)
      .filter(({ data }) => data.object.id === record.id);
  await expect.poll(() => arrived().map(({ type }) => type), { timeout: 60_000 }).toContain(events[0]);
  const listed = await api.must<Page<{ event: string }>>("GET", `/webhooks/${webhook.id}/deliveries?limit=200`);
  await api.must("DELETE", `/webhooks/${webhook.id}`);
  return { types: arrived().map(({ type }) => type), listed: listed.data.map(({ event }) => event) };
}

async function livedAndDeleted(): Promise<Stored> {
  const deal = await create(api, "opportunities");
  await api.must("PATCH", `/opportunities/${deal.id}`, { stage: "negotiation" });
  await api.must("DELETE", `/opportunities/${deal.id}`);
  return deal;
}

describe("6. Events: names have the form entity.action", () => {
  test.each(Object.entries(EVENTS))(
    "%s is delivered, to a webhook that wants it alone, and nothing else is",
    async (event, happen) => {
      const { types, listed } = await deliveriesAbout([event], happen);
      expect(types).toEqual([event]);
      expect(listed.filter((type) => type !== event)).toEqual([]);
      expect(listed).toContain(event);
    },
  );

  test("a webhook of all eighteen gets what happens to one record over its life", async () => {
    const others = Object.keys(EVENTS).filter((event) => event !== "opportunity.deleted");
    const { listed } = await deliveriesAbout(["opportunity.deleted", ...others], livedAndDeleted);
    expect(new Set(listed)).toEqual(
      new Set(["opportunity.created", "opportunity.updated", "opportunity.stage_changed", "opportunity.deleted"]),
    );
  });

  test.each([
    "opportunity",
    "opportunity.escalated",
    "contact.converted",
    "case.stage_changed",
    "quote.created",
    "created",
    "",
  ])("“%s” is no event, and is refused", async (event) => {
    const answer = await api.post("/webhooks", { url: receiver.url, events: [event] });
    expect(answer.status).toBe(400);
  });
});
