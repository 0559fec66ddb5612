import { expect, type Page } from "@playwright/test";

import { RESOURCES, type ResourceName } from "@/lib/records/schema/resources";
import { readDemo } from "@/tests/e2e/support/demo";
import { ADMIN_PAGES, type ListedPage } from "@/tests/e2e/support/page-list";
import { createWebhook, send } from "@/tests/e2e/support/webhook-pages";

/** What a record of each kind needs; a comment belongs to a case. */
const NEEDED: Record<Exclude<ResourceName, "case_comments">, object> = {
  accounts: { name: "Neckar Pumpen GmbH" },
  contacts: { first_name: "Ada", last_name: "Okafor" },
  cases: { subject: "The pump leaks" },
  activities: { type: "call", subject: "Asked about pumps" },
  leads: { last_name: "Hopper", company: "Cobol Ltd" },
  opportunities: { name: "Ten pumps", stage: "proposal", close_date: "2030-01-31" },
  products: { name: "Pump 3000" },
};

/** How long a proof of a small org may take on busy cores. */
const PROOF_TIMEOUT_MS = 120_000;

/**
 * Every page that an admin sees, each with something on it: what the organization lacks is created first, except for a
 * completed migration. `page` is signed in and shows a page of the service.
 */
export async function listPages(page: Page): Promise<ListedPage[]> {
  const ids = new Map<string, string>(Object.entries(await detailIds(page)));
  for (const resource of RESOURCES) ids.set(resource, await recordOf(page, resource));
  return ADMIN_PAGES.map(({ path, ...page }) => ({
    ...page,
    path: path.replaceAll(/{(\w+)}/g, (_, of) => idOf(ids, of)),
  }));
}

function idOf(ids: ReadonlyMap<string, string>, of: string): string {
  const id = ids.get(of);
  if (!id) throw new Error(`The list of pages needs an id of ${of}, which nothing gives.`);
  return id;
}

async function detailIds(page: Page): Promise<Record<string, string>> {
  const [client] = await list(page, "/settings/clients");
  return {
    client: String(client?.id),
    migration: await provenMigration(page),
    request: await consentRequest(page),
    ...(await deliveredWebhook(page)),
  };
}

/** The first page of a list of the API. */
async function list(page: Page, path: string): Promise<Record<string, unknown>[]> {
  const answer = await page.request.get(`/api/v1${path}`);
  return ((await answer.json()) as { data: Record<string, unknown>[] }).data;
}

/** The newest completed migration. It is compared with its org, unless it was before. */
async function provenMigration(page: Page): Promise<string> {
  const found = (await list(page, "/migration?limit=50")).find(({ status }) => status === "completed");
  if (!found) throw new Error("The pages of a migration need one that is completed.");
  const id = String(found.migration_id);
  const path = `/migration/${id}/proof`;
  const isThere = (await page.request.get(`/api/v1${path}`)).ok();
  if (!isThere) await send(page, "POST", path);
  const status = async () => ((await (await page.request.get(`/api/v1${path}`)).json()) as { status: string }).status;
  await expect.poll(status, { timeout: PROOF_TIMEOUT_MS }).toBe("done");
  return id;
}

/** What an app asks of the reader, who has not decided about it. */
async function consentRequest(page: Page): Promise<string> {
  const { client_id, redirect_uri } = readDemo().oauth_client;
  const query = new URLSearchParams({
    response_type: "code",
    client_id,
    redirect_uri,
    scope: "crm:read",
    state: "s",
    code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    code_challenge_method: "S256",
  });
  const answer = await page.request.get(`/oauth/authorize?${query}`, { maxRedirects: 0 });
  const consent = new URL(answer.headers()["location"] ?? "", page.url());
  return consent.searchParams.get("request") ?? "";
}

/** A webhook and its newest delivery; without one, a test event is sent. */
async function deliveredWebhook(page: Page): Promise<{ webhook: string; delivery: string }> {
  const [known] = await list(page, "/webhooks");
  const { id } = known ?? (await createWebhook(page, { url: "https://example.com/hooks", description: "Orders" }));
  const webhook = String(id);
  const [delivery] = await list(page, `/webhooks/${webhook}/deliveries`);
  if (delivery) return { webhook, delivery: String(delivery.event_id) };
  const sent: unknown = await send(page, "POST", `/webhooks/${webhook}/test`);
  return { webhook, delivery: (sent as { event_id: string }).event_id };
}

async function recordOf(page: Page, resource: ResourceName): Promise<string> {
  // A lead that was converted can be converted no more, nor edited.
  const found = (await list(page, `/${resource}?limit=100`)).find(({ converted_at: at }) => !at);
  if (found) return String(found.id);
  const fields =
    resource === "case_comments"
      ? { case_id: await recordOf(page, "cases"), body: "It still leaks." }
      : NEEDED[resource];
  return (await send(page, "POST", `/${resource}`, fields)).id;
}
