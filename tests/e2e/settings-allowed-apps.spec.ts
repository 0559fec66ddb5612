import { expect } from "@playwright/test";

import { obtainAccessToken } from "@/scripts/demo/obtain-access-token";
import { readDemo } from "@/tests/e2e/support/demo";
import { expectSoundListedPage } from "@/tests/e2e/support/listed-pages";
import { createMember, type Credentials, expectForAdmins } from "@/tests/e2e/support/member";
import { expectSoundPage } from "@/tests/e2e/support/page-checks";
import { signIn } from "@/tests/e2e/support/sign-in";
import { test } from "@/tests/e2e/support/watched";

const PATH = "/settings/allowed-apps";

/** Gets an access token of the demo's API client in somebody's name, allowed on the consent page. */
async function allowDemoClient(person: Credentials): Promise<string> {
  const { base_url: baseUrl, oauth_client: client } = readDemo();
  return (await obtainAccessToken({ baseUrl, ...person, client, scope: "crm:read crm:write" })).access_token;
}

async function statusWith(token: string): Promise<number> {
  return (await fetch(`${readDemo().base_url}/api/v1/accounts`, { headers: { authorization: `Bearer ${token}` } }))
    .status;
}

test("somebody who has allowed nothing reads what would be here", async ({ page }) => {
  await signIn(page, PATH, await createMember());
  await expect(page.getByText("You have allowed no app")).toBeVisible();
  await expectSoundPage(page);
});

test("by keyboard, the access of an app is removed, and its next request is refused", async ({ page }) => {
  const member = await createMember();
  const token = await allowDemoClient(member);
  expect(await statusWith(token)).toBe(200);
  await signIn(page, PATH, member);
  const app = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: "Demo client" }) });
  await expect(app).toContainText("Read and change accounts");
  await expectSoundListedPage(page, "settings-allowed-apps");

  const remove = app.getByRole("button", { name: "Remove access" });
  await remove.focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Remove the access of “Demo client”?" });
  await expect(dialog).toContainText("Its access token stops working at once");
  await expect(dialog.getByRole("button", { name: "Keep access" })).toBeFocused();
  await expectSoundPage(page);
  await page.keyboard.press("Escape");
  await expect(remove).toBeFocused();
  expect(await statusWith(token)).toBe(200);

  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("button", { name: "Keep access" })).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert").filter({ hasText: "1 access token stopped." })).toBeVisible();
  await expect(page.getByRole("main")).toBeFocused();
  await expect(page.getByText("You have allowed no app")).toBeVisible();
  expect(await statusWith(token)).toBe(401);
  await expectSoundPage(page);
});

test("a removal that is refused is explained in the dialog", async ({ page }) => {
  const member = await createMember();
  await allowDemoClient(member);
  await signIn(page, PATH, member);
  const problem = { title: "Not found", status: 404, detail: "You have taken it back already.", code: "not_found" };
  await page.route("**/api/v1/settings/grants/*", (route) =>
    route.fulfill({ status: 404, contentType: "application/problem+json", body: JSON.stringify(problem) }),
  );
  await page.getByRole("button", { name: "Remove access" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Remove access" }).click();
  await expect(dialog.getByRole("alert")).toBeFocused();
  await expect(dialog.getByRole("alert")).toContainText("You have taken it back already.");
});

const NOBODY = "01890000-0000-7000-8000-000000000000";

/** Each page for admins, by its address, with its title. */
const FOR_ADMINS = {
  "/settings/audit-log": "Audit log",
  "/settings/audit-log?what=sign_ins": "Audit log",
  "/settings/api": "API clients",
  "/settings/api/new": "Create an API client",
  [`/settings/api/${NOBODY}`]: "API client",
  "/settings/webhooks": "Webhooks",
  "/settings/webhooks/new": "Create a webhook",
  [`/settings/webhooks/${NOBODY}`]: "Webhook",
  [`/settings/webhooks/${NOBODY}/settings`]: "Settings of a webhook",
  [`/settings/webhooks/${NOBODY}/deliveries/${NOBODY}`]: "Delivery",
};

test("members have no links to pages for admins, which say so when opened, and the API refuses", async ({ page }) => {
  await signIn(page, PATH, await createMember());
  await page.goto("/settings");
  await expect(page.getByRole("heading", { name: "Settings", level: 1 })).toBeVisible();
  for (const name of ["API clients", "Audit log", "Webhooks"])
    await expect(page.getByRole("link", { name, exact: true, includeHidden: true })).toHaveCount(0);
  await expect(page.getByRole("main").getByRole("link", { name: "Allowed apps" })).toHaveCount(1);

  for (const [path, title] of Object.entries(FOR_ADMINS)) {
    expect((await page.goto(path))?.status()).toBe(200);
    await expectForAdmins(page, title);
  }
  await expectSoundPage(page);
  for (const path of ["settings/audit_events", "settings/members", "settings/clients", "webhooks"])
    expect((await page.request.get(`/api/v1/${path}`)).status()).toBe(403);
});
