import { startSandboxOrg } from "@/sandbox-org/start";
import { Api } from "@/scripts/demo/api";
import { migrate } from "@/scripts/demo/migrate";
import { type Browser, obtainAccessToken, signInBrowser } from "@/scripts/demo/obtain-access-token";
import { ProgressBars } from "@/scripts/demo/progress-bars";
import { seedOrganization } from "@/scripts/demo/seed-organization";
import { RESOURCES } from "@/lib/records/schema/resources";
import { ADMIN_PAGES, PUBLIC_PAGES } from "@/tests/e2e/support/page-list";

const ORG_RECORDS = 10_000;

/** How often each page is opened, so that its code is compiled and what it leaves is collected. */
const ROUNDS = 3;

/** What people do in a day: an org is migrated, and somebody who is signed in opens every page. */
export async function workADay({ dataDir, baseUrl }: { dataDir: string; baseUrl: string }): Promise<void> {
  const org = await startSandboxOrg({ records: ORG_RECORDS });
  try {
    const sandbox = { ext_instance_url: org.instanceUrl, ext_access_token: org.accessToken };
    const { admin, oauth_client: client } = await seedOrganization(dataDir, baseUrl, sandbox);
    const { access_token: token } = await obtainAccessToken({ baseUrl, ...admin, client, scope: "crm:read crm:write" });
    const { migration_id: migration } = await migrate(
      new Api(baseUrl, token),
      sandbox,
      new ProgressBars(process.stderr),
    );
    const browser = await signInBrowser({ baseUrl, ...admin });
    const paths = await pathsOf(browser, { migration });
    for (let round = 0; round < ROUNDS; round += 1) for (const path of paths) await open(browser, path);
  } finally {
    await org.stop();
  }
}

/** The addresses of all pages but those of an API client, a webhook, a delivery and a consent. */
async function pathsOf(browser: Browser, known: Record<string, string>): Promise<string[]> {
  const ids = new Map(Object.entries(known));
  for (const resource of RESOURCES) {
    const list = (await (await browser.get(`/api/v1/${resource}?limit=1`)).json()) as { data: { id: string }[] };
    if (list.data[0]) ids.set(resource, list.data[0].id);
  }
  return [...PUBLIC_PAGES, ...ADMIN_PAGES]
    .map(({ path }) => path.replaceAll(/{(\w+)}/g, (text, of: string) => ids.get(of) ?? text))
    .filter((path) => !path.includes("{") && path !== "/sign-out");
}

async function open(browser: Browser, path: string): Promise<void> {
  const answer = await browser.get(path);
  await answer.text();
  const isRefused = answer.status >= 400 && path !== "/nothing";
  const location = answer.headers.get("location") ?? "";
  if (isRefused || location.startsWith("/sign-in")) throw new Error(`${path} answered ${answer.status} ${location}`);
}
