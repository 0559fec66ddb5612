import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { expect, type Page } from "@playwright/test";

import { signInBrowser } from "@/scripts/demo/obtain-access-token";
import { readDemo } from "@/tests/e2e/support/demo";
import { createMember } from "@/tests/e2e/support/member";
import { expectSoundPage } from "@/tests/e2e/support/page-checks";
import { enterPassword, signIn } from "@/tests/e2e/support/sign-in";
import { test as signedIn } from "@/tests/e2e/support/signed-in";
import { test as watched } from "@/tests/e2e/support/watched";
import { startOwnWeb } from "@/tests/service/setup/own-web";
import { SettingsApi } from "@/tests/service/support/settings-api";

/**
 * An app on this machine. Its callback redirects to another origin, as that of many apps does. Browsers check this
 * redirect, too, against the `form-action` of the page whose form started the navigation, and then the button seems
 * dead.
 */
interface App {
  clientId: string;
  callback: string;
  /** Where its callback redirects to, with the answer in the query. */
  home: string;
  /** The `Referer` headers that it received. */
  referrers: string[];
}

async function startApp(baseUrl: string): Promise<App & AsyncDisposable> {
  const referrers: string[] = [];
  const server = createServer(({ url = "", headers }, response) => {
    if (headers.referer !== undefined && url !== "/favicon.ico") referrers.push(headers.referer);
    if (url.startsWith("/callback")) response.writeHead(302, { location: home + new URL(url, home).search }).end();
    else
      response
        .writeHead(200, { "content-type": "text/html" })
        .end("<!doctype html><title>The app</title><h1>You are back at the app</h1>");
  });
  await new Promise<void>((done) => void server.listen(0, done));
  const { port } = server.address() as AddressInfo;
  const [callback, home] = [`http://localhost:${port}/callback`, `http://127.0.0.1:${port}/home`];
  const settings = new SettingsApi(baseUrl, await signInBrowser({ baseUrl, ...readDemo().admin }));
  const { client_id: clientId } = await settings.register(callback, ["crm:read"]);
  const stop = async () => {
    server.closeAllConnections();
    await new Promise((done) => void server.close(done));
  };
  return { clientId, callback, home, referrers, [Symbol.asyncDispose]: stop };
}

async function useApp(baseUrl: string, use: (app: App) => Promise<void>): Promise<void> {
  await using app = await startApp(baseUrl);
  await use(app);
  expect(app.referrers, "what the app was told of where its visitor came from").toEqual([]);
}

const test = watched.extend<{ app: App }>({ app: ({ baseURL }, use) => useApp(baseURL ?? "", use) });
const inSession = signedIn.extend<{ app: App }>({ app: ({ baseURL }, use) => useApp(baseURL ?? "", use) });

/** The app's request for a scope. For one that it is not registered for, the app gets an error after sign-in. */
function authorizePath({ clientId, callback }: App, scope: string): string {
  const challenge = { code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", code_challenge_method: "S256" };
  const client = { client_id: clientId, redirect_uri: callback };
  const query = new URLSearchParams({ response_type: "code", ...client, scope, state: "s", ...challenge });
  return `/oauth/authorize?${query}`;
}

/** The answer that the app gets, once the browser is back there. */
async function answerAt(page: Page, { home }: App): Promise<URLSearchParams> {
  await page.waitForURL((url) => url.href.startsWith(home));
  await expect(page.getByRole("heading", { name: "You are back at the app" })).toBeVisible();
  return new URL(page.url()).searchParams;
}

test("after sign-in by password, a faulty request ends at the app, which gets the error", async ({ page, app }) => {
  await page.goto(authorizePath(app, "crm:write"));
  await enterPassword(page, readDemo().admin);
  expect((await answerAt(page, app)).get("error")).toBe("invalid_scope");
});

test("so does a refused sign-in after another tab has signed in @exhaustive", async ({ page, app }) => {
  await page.goto(authorizePath(app, "crm:write"));
  const other = await page.context().newPage();
  await signIn(other, "/products");
  await enterPassword(page, { email: readDemo().admin.email, password: "not the password" });
  expect((await answerAt(page, app)).get("error")).toBe("invalid_scope");
});

test("so does signing in through an OpenID provider whose own form may lead only to us", async ({ page, app }) => {
  await page.goto(authorizePath(app, "crm:write"));
  await page.getByRole("button", { name: "Sign in with Example ID" }).click();
  await page.getByLabel("Account").fill(readDemo().admin.email);
  await page.getByRole("button", { name: "Continue" }).click();
  expect((await answerAt(page, app)).get("error")).toBe("invalid_scope");
});

for (const [decision, name] of [
  ["Allow", "code"],
  ["Deny", "error"],
] as const) {
  test(`signing in and pressing ${decision} ends at the app, even if its callback redirects to another origin`, async ({
    page,
    app,
  }) => {
    await page.goto(authorizePath(app, "crm:read"));
    await enterPassword(page, await createMember());
    await page.getByRole("button", { name: decision }).click();
    const answer = await answerAt(page, app);
    expect([...answer.keys()]).toContain(name);
    await page.goBack();
    await expect(page.getByRole("heading", { name: "There is nothing left to decide here" })).toBeVisible();
  });
}

inSession("a request with a fault leads to the app of who is signed in already @exhaustive", async ({ page, app }) => {
  await page.goto(authorizePath(app, "crm:write"));
  expect((await answerAt(page, app)).get("error")).toBe("invalid_scope");
});

inSession(
  "a refused sign-in at Salesforce is explained and keeps what it was for; the next one leaves",
  async ({ page, app }) => {
    // Only a service that is registered at Salesforce offers it.
    const web = await startOwnWeb({ SALESFORCE_CLIENT_ID: "crm", SALESFORCE_CLIENT_SECRET: "secret" });
    try {
      // Cookies are those of a host, whatever its port: the browser is signed in there, too.
      const origin = `http://localhost:${new URL(web.baseUrl).port}`;
      await page.goto(`${origin}/migration/new`);
      const path = "/migration/01900000-0000-7000-8000-000000000001/configure?part=owners";
      await page.evaluate((remembered) => sessionStorage.setItem("crm-reconnect", remembered), path);
      await page.goto(`${origin}/migration/callback?${await refusedAtSalesforce(page, origin)}`);
      const refusal = page.getByRole("alert").filter({ hasText: "Salesforce did not connect" });
      await expect(refusal).toContainText("choose Allow");
      await expect(refusal.getByRole("link", { name: "Setup › Connected Apps OAuth Usage" })).toBeVisible();
      const back = page.getByRole("link", { name: "Back to the migration" });
      await expect(back).toHaveAttribute("href", path);
      await expectSoundPage(page);

      const answer = { authorize_url: app.callback };
      await page.route("**/migration/connections/authorize", (route) => route.fulfill({ json: answer }));
      await page.getByRole("button", { name: "Sign in at Salesforce" }).click();
      await answerAt(page, app);
      await page.goto(`${origin}/migration/new`);
      await expect(back).toBeVisible();
      await page.getByRole("button", { name: "Start a new migration instead" }).click();
      await expect(back).toHaveCount(0);
    } finally {
      await web.stop();
    }
  },
);

/** With what Salesforce sends the browser back whose user has declined. */
async function refusedAtSalesforce(page: Page, origin: string): Promise<URLSearchParams> {
  const begun = await page.request.post(`${origin}/api/v1/migration/connections/authorize`, {
    // It takes requests of the pages of the service that it belongs to.
    headers: { origin: new URL(readDemo().base_url).origin },
    data: {},
  });
  const { authorize_url: url } = (await begun.json()) as { authorize_url: string };
  const state = new URL(url).searchParams.get("state") ?? "";
  return new URLSearchParams({ state, error: "access_denied", error_description: "end-user denied authorization" });
}

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("signing in and allowing end at the app, too", async ({ page, app }) => {
    await page.goto(authorizePath(app, "crm:read"));
    await enterPassword(page, readDemo().admin);
    await page.getByRole("button", { name: "Allow" }).click();
    expect((await answerAt(page, app)).get("code")).toBeTruthy();
  });
});

test("signing out ends at the sign-in page, by the menu and by the page that asks", async ({ page }) => {
  for (const leave of ["menu", "page"]) {
    await signIn(page, "/products");
    if (leave === "page") await page.goto("/sign-out");
    else await page.getByRole("button", { name: /^Your account/ }).click();
    await page
      .getByRole("button", { name: "Sign out" })
      .or(page.getByRole("menuitem", { name: "Sign out" }))
      .click();
    await page.waitForURL((url) => url.pathname === "/sign-in");
  }
});
