import { randomBytes } from "node:crypto";

import { readDemo } from "@/tests/service/support/demo";
import { grantTo } from "@/tests/service/support/grant-to";
import { RestClient } from "@/tests/service/support/rest-client";
import { ownOrganization, type SignedIn } from "@/tests/service/setup/own-organization";
import { WebhookReceiver } from "@/tests/support/webhook-receiver";

import {
  type Caller,
  cursorsOfWebhooks,
  deleteWebhooks,
  makeWebhooks,
} from "@/tests/service/fuzz/support/made-webhooks";

/** What a record needs; `{…}` stands for the id of a record that is there by then. */
const MINIMAL: Record<string, Record<string, unknown>> = {
  accounts: { name: "Fells Bakery" },
  contacts: { last_name: "Fell" },
  leads: { last_name: "Fell", company: "Fells Bakery" },
  opportunities: { name: "Ovens", stage: "prospecting", close_date: "2026-12-31" },
  products: { name: "Oven" },
  cases: { subject: "The oven is cold" },
  case_comments: { body: "Colder still" },
  activities: { type: "task", subject: "Call about the oven" },
};

/** What a record of a resource needs, in this fixtures. */
export function minimalOf(resource: string, { pools }: Fixtures): Record<string, unknown> {
  return { ...MINIMAL[resource], ...(resource === "case_comments" && { case_id: pools.cases?.kept[0] }) };
}

export const RESOURCES = Object.keys(MINIMAL);

/** The records of one resource, by what requests may do with them. */
export interface Pool {
  /** Nothing deletes these, so a reference to one is good at any time. */
  kept: string[];
  /** Of records that only upserts touch, so that they keep their external id. */
  extIds: string[];
  /** Each of these is deleted, converted or escalated once. */
  expendable: string[];
  deleted: string[];
  /** Of the other organization. */
  foreign: string[];
  /** Positions in its list. */
  cursors: string[];
}

export interface Fixtures {
  baseUrl: string;
  token: string;
  userIds: string[];
  foreignUserId: string;
  pools: Record<string, Pool>;
  migrationIds: string[];
  /** Each has a delivery to every webhook that is kept. */
  eventIds: string[];
  /** Takes what webhooks send, and keeps it. */
  receiver: WebhookReceiver;
  sandboxOrg: { ext_instance_url: string; ext_access_token: string };
  /** Positions in the feed of events, in the thread of a case and among reasons of a migration. */
  cursors: Record<string, string[]>;
  /** Stands in every text of the other organization's records. */
  marker: string;
  /** Leaves no webhook behind. */
  stop: () => Promise<void>;
}

const REDIRECT_URI = "http://127.0.0.1:53686/callback";
const KEPT = 12;

/**
 * Two organizations, one with records of every kind and a migration that has been analyzed, and one of which nothing
 * must be seen.
 */
export async function createFixtures(): Promise<Fixtures> {
  const { base_url: baseUrl, sandbox_org: sandboxOrg } = readDemo();
  const [own, other] = [await ownOrganization(baseUrl), await ownOrganization(baseUrl)];
  const token = await tokenOf(baseUrl, own.admin);
  const marker = `marker${randomBytes(8).toString("hex")}`;
  const theirToken = await tokenOf(baseUrl, other.admin);
  const theirs = new RestClient(baseUrl, theirToken);
  const foreign = await makeRecords(theirs, 3, (number) => ({
    description: marker,
    custom_fields: { marker },
    ext_id: `${marker}-${number}`,
  }));
  const api = new RestClient(baseUrl, token);
  const pools = await makePools(api, foreign);
  const receiver = await WebhookReceiver.start();
  const webhooks = await webhookPool({
    own: { baseUrl, token, receiver },
    other: { baseUrl, token: theirToken, marker },
  });
  const migrationIds = [await analyze(api, sandboxOrg)];
  const userIds = [own.admin.userId, own.member.userId];
  const cursors = {
    ...(await readCursors(api, pools.cases?.kept[0] ?? "")),
    list_webhook_deliveries: webhooks.deliveryCursors,
  };
  const users = { userIds, foreignUserId: other.admin.userId };
  const stop = async (): Promise<void> => {
    await Promise.all([token, theirToken].map((each) => deleteWebhooks({ baseUrl, token: each })));
    await receiver[Symbol.asyncDispose]();
  };
  const all = { ...pools, webhooks: webhooks.pool, users: keptPool(userIds, [users.foreignUserId], userIds) };
  return {
    baseUrl,
    token,
    ...users,
    pools: all,
    migrationIds,
    eventIds: webhooks.eventIds,
    receiver,
    sandboxOrg,
    cursors,
    marker,
    stop,
  };
}

/** Of what has no external ids; nothing of it is there to be deleted at first. */
function keptPool(kept: string[], foreign: string[], created: string[]): Pool {
  return { kept, extIds: [], expendable: [], deleted: [], foreign, cursors: created };
}

interface WebhookOwners {
  own: Caller & { receiver: WebhookReceiver };
  other: Caller & { marker: string };
}

/**
 * Those that are kept have the same deliveries, so that each goes with each webhook. Of the other organization there
 * are webhooks and events.
 */
async function webhookPool({ own, other }: WebhookOwners) {
  const kept = await makeWebhooks(own, 3, { url: own.receiver.url, description: "Order desk" });
  const foreign = await makeWebhooks(other, 1, {
    url: `http://127.0.0.1:9/${other.marker}`,
    description: other.marker,
  });
  const { webhooks: created, deliveries } = await cursorsOfWebhooks(own, kept);
  const foreignIds = [...foreign.ids, ...foreign.eventIds];
  return { pool: keptPool(kept.ids, foreignIds, created), eventIds: kept.eventIds, deliveryCursors: deliveries };
}

async function tokenOf(baseUrl: string, { browser, settings }: SignedIn): Promise<string> {
  const client = await settings.register(REDIRECT_URI, ["crm:read", "crm:write"]);
  return (await grantTo(browser, { baseUrl, client, redirectUri: REDIRECT_URI })).accessToken;
}

interface Made {
  ids: string[];
  extIds: string[];
}

type More = (number: number) => Record<string, unknown>;

/**
 * So many records of every resource, with fields of their own where the resource has them. Comments are on the case, or
 * on the first new one.
 */
async function makeRecords(api: RestClient, count: number, more: More, caseId?: string): Promise<Record<string, Made>> {
  const made: Record<string, Made> = {};
  for (const resource of RESOURCES) {
    const whole = resource === "case_comments" ? { case_id: caseId ?? made.cases?.ids[0] } : {};
    const items = Array.from({ length: count }, (_, number) => {
      const { description, ...rest } = more(number);
      const described =
        description === undefined ? {} : { [resource === "case_comments" ? "body" : "description"]: description };
      return { action: "create", data: { ...MINIMAL[resource], ...whole, ...described, ...rest } };
    });
    const { status, body } = await api.post<{ results: { record: { id: string; ext_id: string } }[] }>(
      `/api/v1/${resource}/batch`,
      {
        mode: "all_or_nothing",
        items,
      },
    );
    if (status !== 200) throw new Error(`Making ${resource} was answered ${status}: ${JSON.stringify(body)}`);
    made[resource] = {
      ids: body.results.map(({ record }) => record.id),
      extIds: body.results.map(({ record }) => record.ext_id),
    };
  }
  return made;
}

async function makePools(api: RestClient, foreign: Record<string, Made>): Promise<Fixtures["pools"]> {
  const kept = await makeRecords(api, KEPT, () => ({}));
  const keptCase = kept.cases?.ids[0];
  const named = await makeRecords(api, KEPT, (number) => ({ ext_id: `erp-${number}` }), keptCase);
  const expendable = await makeRecords(api, 2 * KEPT, () => ({}), keptCase);
  const idsOf = (made: Record<string, Made>, resource: string) => made[resource]?.ids ?? [];
  const pools: Fixtures["pools"] = {};
  for (const resource of RESOURCES) {
    const path = `/api/v1/${resource}`;
    pools[resource] = {
      kept: idsOf(kept, resource),
      extIds: named[resource]?.extIds ?? [],
      expendable: idsOf(expendable, resource),
      deleted: [],
      foreign: idsOf(foreign, resource),
      cursors: await cursorsOf(api, path),
    };
  }
  return pools;
}

async function cursorsOf(api: RestClient, path: string): Promise<string[]> {
  const { next_cursor: cursor } = await api.get<{ next_cursor: string | null }>(`${path}?limit=2`);
  if (cursor === null) throw new Error(`${path} has no second page.`);
  return [cursor];
}

async function readCursors(api: RestClient, caseId: string): Promise<Fixtures["cursors"]> {
  for (let number = 0; number < 3; number += 1)
    await api.post(`/api/v1/cases/${caseId}/comments`, { body: "Still cold" });
  const thread = await api.get<{ next_cursor: string }>(`/api/v1/cases/${caseId}/comments?limit=1`);
  return { list_events: await cursorsOf(api, "/api/v1/events"), list_comments_of_case: [thread.next_cursor] };
}

async function analyze(api: RestClient, sandboxOrg: Fixtures["sandboxOrg"]): Promise<string> {
  const { body } = await api.post<{ migration_id: string }>("/api/v1/migration/analyze", sandboxOrg);
  for (;;) {
    const { status } = await api.get<{ status: string }>(`/api/v1/migration/${body.migration_id}`);
    if (status === "ready") return body.migration_id;
    if (status !== "analyzing") throw new Error(`The migration is ${status}, not ready.`);
    await new Promise((done) => setTimeout(done, 100));
  }
}
