import { TAGS } from "@/lib/http/openapi/descriptions";
import { RESOURCES, type ResourceName } from "@/lib/records/schema/resources";

/** A page as somebody opens it. Screenshots and axe share the list. */
export interface ListedPage {
  /** As in the name of a screenshot: "account-edit". */
  name: string;
  /** What stands in braces is the id of one of those: "/leads/{leads}/convert". */
  path: string;
  /** Whose page it is, if those of other kinds of records are made like it. */
  resource?: string;
  /** The test file that opens the page and judges it by `expectSoundListedPage`, so that `pages.spec.ts` need not. */
  judgedIn?: string;
}

const REFERENCE = Object.keys(TAGS).map((tag) => ({
  name: `docs-${dashed(tag)}`,
  path: `/docs/${tag}`,
  resource: tag,
}));

/** The one that stands for the others where only the layout matters. */
const SAMPLE = "/docs/accounts";

/** The pages that everybody sees without signing in, but for {@link REFERENCE_PAGES}. */
export const PUBLIC_PAGES: readonly ListedPage[] = [
  { name: "sign-in", path: "/sign-in" },
  { name: "set-password", path: "/set-password" },
  { name: "docs", path: "/docs" },
  ...REFERENCE.filter(({ path }) => path === SAMPLE),
  { name: "docs-sign-in", path: "/docs/sign-in" },
  { name: "docs-errors", path: "/docs/errors" },
  { name: "docs-error", path: "/docs/errors/not_found" },
];

/** The pages of the API reference, one per resource, except the one that is among the public pages. */
export const REFERENCE_PAGES: readonly ListedPage[] = REFERENCE.filter(({ path }) => path !== SAMPLE);

/** The parts of the step "configure"; without one in its address, its page shows the objects. */
const PARTS = ["fields", "values", "owners", "links", "duplicates", "options", "preview", "file"];

const MIGRATION: readonly ListedPage[] = [
  { name: "migration", path: "/migration", judgedIn: "shell.spec.ts" },
  { name: "migration-1-connect", path: "/migration/new", judgedIn: "wizard.spec.ts" },
  { name: "migration-2-analyze", path: "/migration/{migration}/analyze" },
  { name: "migration-3-report", path: "/migration/{migration}/report", judgedIn: "wizard.spec.ts" },
  { name: "migration-4-configure", path: "/migration/{migration}/configure", judgedIn: "configure.spec.ts" },
  ...PARTS.map((part) => ({
    name: `migration-4-configure-${part}`,
    path: `/migration/{migration}/configure?part=${part}`,
    judgedIn: part === "options" ? "unsaved.spec.ts" : "configure.spec.ts",
  })),
  { name: "migration-5-migrate", path: "/migration/{migration}/migrate", judgedIn: "wizard.spec.ts" },
  { name: "migration-6-proof", path: "/migration/{migration}/proof" },
];

const SETTINGS: readonly ListedPage[] = [
  { name: "settings", path: "/settings" },
  { name: "settings-members", path: "/settings/members", judgedIn: "settings-members.spec.ts" },
  { name: "settings-organization", path: "/settings/organization", judgedIn: "settings-organization.spec.ts" },
  { name: "settings-api", path: "/settings/api", judgedIn: "settings-api.spec.ts" },
  { name: "settings-api-new", path: "/settings/api/new", judgedIn: "settings-api.spec.ts" },
  { name: "settings-api-client", path: "/settings/api/{client}", judgedIn: "settings-api.spec.ts" },
  { name: "settings-webhooks", path: "/settings/webhooks", judgedIn: "webhooks.spec.ts" },
  { name: "settings-webhook-new", path: "/settings/webhooks/new", judgedIn: "webhooks.spec.ts" },
  { name: "settings-webhook", path: "/settings/webhooks/{webhook}", judgedIn: "webhooks.spec.ts" },
  { name: "settings-webhook-settings", path: "/settings/webhooks/{webhook}/settings", judgedIn: "webhooks.spec.ts" },
  {
    name: "settings-webhook-delivery",
    path: "/settings/webhooks/{webhook}/deliveries/{delivery}",
    judgedIn: "webhooks-failing.spec.ts",
  },
  { name: "settings-audit-log", path: "/settings/audit-log", judgedIn: "settings-audit-log.spec.ts" },
  { name: "settings-allowed-apps", path: "/settings/allowed-apps", judgedIn: "settings-allowed-apps.spec.ts" },
  { name: "settings-account", path: "/settings/account", judgedIn: "settings-account.spec.ts" },
];

/** Every page that an admin sees. */
export const ADMIN_PAGES: readonly ListedPage[] = [
  { name: "home", path: "/", judgedIn: "home.spec.ts" },
  ...MIGRATION,
  ...RESOURCES.flatMap(recordPages),
  { name: "leads-convert", path: "/leads/{leads}/convert", judgedIn: "actions.spec.ts" },
  { name: "opportunities-board", path: "/opportunities/board", judgedIn: "actions.spec.ts" },
  { name: "deleted", path: "/deleted", judgedIn: "deleted-records.spec.ts" },
  ...SETTINGS,
  { name: "consent", path: "/oauth/consent?request={request}" },
  { name: "sign-out", path: "/sign-out" },
  { name: "not-found", path: "/nothing" },
];

/** The pages that are not listed, each with its reason. */
export const NOT_LISTED: Readonly<Record<string, string>> = {
  "/setup": "It redirects once there is an organization; first-visit.spec.ts checks it.",
  "/migration/[id]": "It shows nothing: it redirects to the step that is open.",
};

function recordPages(resource: ResourceName): ListedPage[] {
  const name = dashed(resource);
  return [
    { name, path: `/${resource}` },
    { name: `${name}-record`, path: `/${resource}/{${resource}}` },
    { name: `${name}-edit`, path: `/${resource}/{${resource}}/edit` },
    { name: `${name}-new`, path: `/${resource}/new` },
  ].map((page) => ({ ...page, resource }));
}

function dashed(name: string): string {
  return name.replaceAll("_", "-");
}
