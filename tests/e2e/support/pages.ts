import type { Page } from "@playwright/test";

import { RESOURCES, type ResourceName } from "@/lib/records/schema/resources";
import { connectOrg } from "@/tests/e2e/support/connect-org";
import { createWebhook, send } from "@/tests/e2e/support/webhook-pages";

/** A page as somebody opens it. Screenshots, axe and the measurements of speed share the list. */
export interface ListedPage {
  /** As in the name of a screenshot: "account-edit". */
  name: string;
  path: string;
}

/** The pages that everybody sees without signing in. */
export const PUBLIC_PAGES: readonly ListedPage[] = [
  { name: "sign-in", path: "/sign-in" },
  { name: "set-password", path: "/set-password" },
  { name: "docs", path: "/docs" },
  { name: "docs-accounts", path: "/docs/accounts" },
  { name: "docs-sign-in", path: "/docs/sign-in" },
  { name: "docs-errors", path: "/docs/errors" },
  { name: "docs-error", path: "/docs/errors/not_found" },
];

const SETTINGS: readonly ListedPage[] = [
  { name: "settings-members", path: "/settings/members" },
  { name: "settings-organization", path: "/settings/organization" },
  { name: "settings-api", path: "/settings/api" },
  { name: "settings-api-new", path: "/settings/api/new" },
  { name: "settings-webhooks", path: "/settings/webhooks" },
  { name: "settings-webhook-new", path: "/settings/webhooks/new" },
  { name: "settings-audit-log", path: "/settings/audit-log" },
  { name: "settings-allowed-apps", path: "/settings/allowed-apps" },
  { name: "settings-account", path: "/settings/account" },
];

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

/**
 * Every page that an admin sees, each with something on it: what the organization lacks is created first. `page` is
 * signed in and shows a page of the service.
 */
export async function listPages(page: Page): Promise<ListedPage[]> {
  const migration = await migrationPath(page);
  const records = [];
  for (const resource of RESOURCES) records.push(...(await recordPages(page, resource)));
  const steps = ["analyze", "report", "configure", "migrate", "proof"];
  return [
    { name: "home", path: "/" },
    { name: "migration", path: "/migration" },
    { name: "migration-1-connect", path: "/migration/new" },
    ...steps.map((step, index) => ({ name: `migration-${index + 2}-${step}`, path: `${migration}/${step}` })),
    ...records,
    ...SETTINGS,
    ...(await detailPages(page)),
    { name: "not-found", path: "/nothing" },
  ];
}

/** The first page of a list of the API. */
async function list(page: Page, path: string): Promise<Record<string, unknown>[]> {
  const answer = await page.request.get(`/api/v1${path}`);
  return ((await answer.json()) as { data: Record<string, unknown>[] }).data;
}

/** The newest migration that has been analyzed. */
async function migrationPath(page: Page): Promise<string> {
  const migrations = await list(page, "/migration?limit=50");
  const shown =
    migrations.find(({ status }) => status === "completed") ?? migrations.find(({ status }) => status === "ready");
  if (shown) return `/migration/${String(shown.migration_id)}`;
  await page.goto("/migration/new");
  return connectOrg(page);
}

async function recordPages(page: Page, resource: ResourceName): Promise<ListedPage[]> {
  const name = resource.replaceAll("_", "-");
  const one = `/${resource}/${await recordOf(page, resource)}`;
  return [
    { name, path: `/${resource}` },
    { name: `${name}-record`, path: one },
    { name: `${name}-edit`, path: `${one}/edit` },
    { name: `${name}-new`, path: `/${resource}/new` },
  ];
}

async function recordOf(page: Page, resource: ResourceName): Promise<string> {
  const [found] = await list(page, `/${resource}?limit=1`);
  if (found) return String(found.id);
  const fields =
    resource === "case_comments"
      ? { case_id: await recordOf(page, "cases"), body: "It still leaks." }
      : NEEDED[resource];
  return (await send(page, "POST", `/${resource}`, fields)).id;
}

/** The pages of one API client and one webhook with a delivery. */
async function detailPages(page: Page): Promise<ListedPage[]> {
  const [client] = await list(page, "/settings/clients");
  const [known] = await list(page, "/webhooks");
  const webhook = known ?? (await createWebhook(page, { url: "https://example.com/hooks", description: "Orders" }));
  const path = `/settings/webhooks/${String(webhook.id)}`;
  return [
    ...(client ? [{ name: "settings-api-client", path: `/settings/api/${String(client.id)}` }] : []),
    { name: "settings-webhook", path },
    { name: "settings-webhook-settings", path: `${path}/settings` },
  ];
}
