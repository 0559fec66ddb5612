import { randomBytes } from "node:crypto";

import { readDemo } from "@/tests/service/support/demo";
import { grantTo } from "@/tests/service/support/grant-to";
import { RestClient } from "@/tests/service/support/rest-client";
import { ownOrganization, type SignedIn } from "@/tests/service/setup/own-organization";
import { WebhookReceiver } from "@/tests/support/webhook-receiver";

import { makeFiles } from "@/tests/service/fuzz/support/made-files";
import {
  type Caller,
  cursorsOfWebhooks,
  deleteWebhooks,
  makeWebhooks,
} from "@/tests/service/fuzz/support/made-webhooks";

/** The fields that a record needs. `{…}` stands for the id of an existing record. */
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

/** The fields that a record of a resource needs, with existing ids. */
export function minimalOf(resource: string, { pools }: Fixtures): Record<string, unknown> {
  return { ...MINIMAL[resource], ...(resource === "case_comments" && { case_id: pools.cases?.permanent[0] }) };
}

export const RESOURCES = Object.keys(MINIMAL);

/** The records of one resource, by what requests may do with them. */
export interface Pool {
  /** Never deleted, so a reference to one is always valid. */
  permanent: string[];
  /** Of records that only upserts touch, so that they keep their external id. */
  extIds: string[];
  /** Each is deleted, converted or escalated once. */
  expendable: string[];
  deleted: string[];
  /** Ids of the other organization. */
  foreign: string[];
  /** Cursors of its list. */
  cursors: string[];
}

export interface Fixtures {
  baseUrl: string;
  token: string;
  userIds: string[];
  foreignUserId: string;
  pools: Record<string, Pool>;
  migrationIds: string[];
  /** Events with a delivery to every permanent webhook. */
  eventIds: string[];
  /** Receives and stores deliveries of webhooks. */
  receiver: WebhookReceiver;
  sandboxOrg: { ext_instance_url: string; ext_access_token: string };
  /** Cursors of the events feed, of a case's thread, and of a migration's left-out records. */
  cursors: Record<string, string[]>;
  /** A text in every record of the other organization. */
  marker: string;
  /** Deletes all webhooks. */
  stop: () => Promise<void>;
}

const REDIRECT_URI = "http://127.0.0.1:53686/callback";
const KEPT = 12;

/**
 * Two organizations: one with records of every kind and an analyzed migration, and one whose data must stay invisible.
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
    ...(await readCursors(api, pools.cases?.permanent[0] ?? "")),
    list_webhook_deliveries: webhooks.deliveryCursors,
  };
  const users = { userIds, foreignUserId: other.admin.userId };
  const stop = async (): Promise<void> => {
    await Promise.all([token, theirToken].map((each) => deleteWebhooks({ baseUrl, token: each })));
    await receiver[Symbol.asyncDispose]();
  };
  const files = await makeFiles(pools.cases?.permanent ?? [], "invoice.pdf");
  const all = {
    ...pools,
    webhooks: webhooks.pool,
    users: permanentPool(userIds, [users.foreignUserId], userIds),
    files: permanentPool(files, await makeFiles(pools.cases?.foreign ?? [], marker), files),
  };
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

/** A pool for resources without external ids. At first none of its records may be deleted. */
function permanentPool(permanent: string[], foreign: string[], created: string[]): Pool {
  return { permanent, extIds: [], expendable: [], deleted: [], foreign, cursors: created };
}

interface WebhookOwners {
  own: Caller & { receiver: WebhookReceiver };
  other: Caller & { marker: string };
}

/**
 * The permanent webhooks have the same deliveries, so each delivery goes with each webhook. The other organization has
 * webhooks and events too.
 */
async function webhookPool({ own, other }: WebhookOwners) {
  const permanent = await makeWebhooks(own, 3, { url: own.receiver.url, description: "Order desk" });
  const foreign = await makeWebhooks(other, 1, {
    url: `http://127.0.0.1:9/${other.marker}`,
    description: other.marker,
  });
  const { webhooks: created, deliveries } = await cursorsOfWebhooks(own, permanent);
  const foreignIds = [...foreign.ids, ...foreign.eventIds];
  return {
    pool: permanentPool(permanent.ids, foreignIds, created),
    eventIds: permanent.eventIds,
    deliveryCursors: deliveries,
  };
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
 * Creates records of every resource, with additional fields where given. Comments belong to the case, or to the first
 * new one.
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
  const permanent = await makeRecords(api, KEPT, () => ({}));
  const keptCase = permanent.cases?.ids[0];
  const named = await makeRecords(api, KEPT, (number) => ({ ext_id: `erp-${number}` }), keptCase);
  const expendable = await makeRecords(api, 2 * KEPT, () => ({}), keptCase);
  const idsOf = (made: Record<string, Made>, resource: string) => made[resource]?.ids ?? [];
  const pools: Fixtures["pools"] = {};
  for (const resource of RESOURCES) {
    const path = `/api/v1/${resource}`;
    pools[resource] = {
      permanent: idsOf(permanent, resource),
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
