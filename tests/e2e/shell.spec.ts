import { expect, type Page } from "@playwright/test";

import { configurableMigration } from "@/tests/e2e/support/configuration";
import { expectSoundListedPage } from "@/tests/e2e/support/listed-pages";
import { createMany, newWord } from "@/tests/e2e/support/lists";
import { expectReadableColors, expectSoundPage, REQUEST } from "@/tests/e2e/support/page-checks";
import { signIn } from "@/tests/e2e/support/sign-in";
import { test } from "@/tests/e2e/support/signed-in";
import { test as signedOut } from "@/tests/e2e/support/watched";
import { closeOwner, pool } from "@/tests/support/owner";

test("the first Tab stop leads past the navigation to the content @phone", async ({ page }) => {
  await page.goto("/accounts");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to the content" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
});

test("the menu of a narrow screen and the page are out of reach in turn, and Escape closes it @phone", async ({
  page,
}) => {
  await page.goto("/accounts");
  const menu = page.getByRole("button", { name: "Menu", exact: true });
  const link = page.getByRole("link", { name: "Contacts", exact: true });
  // All tests can be run on the desktop too, whose navigation stands beside the page.
  if (!(await menu.isVisible())) return;
  await expect(menu).toHaveAttribute("aria-expanded", "false");
  await expect(link).toHaveCount(0);
  await menu.click();
  await expect(menu).toHaveAttribute("aria-expanded", "true");
  await expect(page.locator("#content")).toHaveJSProperty("inert", true);
  await link.focus();
  await page.keyboard.press("Escape");
  await expect(menu).toHaveAttribute("aria-expanded", "false");
  await expect(menu).toBeFocused();
  await expect(link).toHaveCount(0);
  await menu.click();
  await link.click();
  await page.waitForURL("/contacts");
  await expect(page.getByRole("main")).toBeFocused();
  await expect(link).toHaveCount(0);
  for (const [go, path] of [
    [() => page.getByRole("banner").getByRole("link").click(), "/"],
    [() => page.goBack(), "/contacts"],
  ] as const) {
    await menu.click();
    await expect(page.locator("#content")).toHaveJSProperty("inert", true);
    await go();
    await page.waitForURL(path);
    await expect(menu).toHaveAttribute("aria-expanded", "false");
    await expect(page.locator("#content")).toHaveJSProperty("inert", false);
  }
  await page.goto("/");
  await menu.click();
  // It leads to the page that is open already.
  await page.getByRole("banner").getByRole("link").click();
  await expect(menu).toHaveAttribute("aria-expanded", "false");
  await menu.click();
  await menu.blur();
  await page.keyboard.press("Escape");
  await expect(menu).toHaveAttribute("aria-expanded", "false");
});

/** A name as an integration user of a large company may have, without any place to break it. */
const LONG_NAME = "integrationuserofthenorthernregion".repeat(4);

test("a list, members, migrations and a report are no wider for a name without any blank @phone", async ({ page }) => {
  await test.step("a list", () => expectListToFit(page));
  await test.step("the members", () => expectMembersToFit(page));
  const id = (await configurableMigration(page)).split("/").at(-1) ?? "";
  try {
    await test.step("the migrations and orgs", () => expectMigrationsToFit(page, id));
    await test.step("a report", () => expectReportToFit(page, id));
  } finally {
    await closeOwner();
  }
});

async function expectListToFit(page: Page): Promise<void> {
  await page.goto("/accounts");
  const status = await page.evaluate(async (name) => {
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ name });
    return (await fetch("/api/v1/accounts", { method: "POST", headers, body })).status;
  }, LONG_NAME);
  expect(status).toBe(201);
  await page.reload();
  await expect(page.getByText(LONG_NAME).first()).toBeVisible();
  await expectSoundPage(page);
}

async function expectMembersToFit(page: Page): Promise<void> {
  await page.route("**/api/v1/settings/members**", async (route) => {
    const response = await route.fetch();
    const text = (await response.text()).replaceAll(/"(name|email)":"[^"]*"/g, `"$1":"${LONG_NAME}"`);
    await route.fulfill({ response, body: text });
  });
  await page.goto("/settings/members");
  await expect(page.getByText(LONG_NAME).first()).toBeVisible();
  await expectSoundPage(page);
  await page.unrouteAll();
}

async function expectMigrationsToFit(page: Page, id: string): Promise<void> {
  // The names come with the page, so changed answers of the API would not be seen.
  const setName = async (name: string | null): Promise<string | null> => {
    const { rows } = await pool().query<{ before: string | null }>(
      `UPDATE connections c SET source_org_name = $2 FROM connections b, migrations m
       WHERE m.id = $1 AND c.id = m.connection_id AND b.id = c.id RETURNING b.source_org_name AS before`,
      [id, name],
    );
    return rows[0]?.before ?? null;
  };
  const name = await setName(LONG_NAME);
  try {
    await page.goto("/migration");
    await expect(page.getByText(LONG_NAME).first()).toBeVisible();
    await expectSoundListedPage(page, "migration");
  } finally {
    await setName(name);
  }
}

async function expectReportToFit(page: Page, id: string): Promise<void> {
  const { rows } = await pool().query<{ report: string }>("SELECT report::text FROM migrations WHERE id = $1", [id]);
  const report = rows[0]?.report ?? "";
  // It comes with the page, so a changed answer of the API would not be seen.
  const setReport = (text: string) => pool().query("UPDATE migrations SET report = $2 WHERE id = $1", [id, text]);
  await setReport(report.replace(/"username":\s*(?:null|"[^"]*")/, `"username":"${LONG_NAME}"`));
  try {
    await page.goto(`/migration/${id}/report`);
    await expect(page.getByText(LONG_NAME).first()).toBeVisible();
    await expectSoundPage(page);
  } finally {
    await setReport(report);
  }
}

test("while the service does not answer, the page says so, and loads again when it does", async ({ page }) => {
  await page.route("**/api/**", (route) => route.abort("connectionrefused"));
  await page.goto("/accounts");
  const notice = page.getByRole("status").filter({ hasText: "The service does not answer." });
  await expect(notice).toBeVisible();
  await page.unroute("**/api/**");
  await expect(notice).toHaveCount(0);
  await expect(page.getByRole("alert").filter({ hasText: "No connection" })).toHaveCount(0);
});

test("while the next page is made, a bar says so", async ({ page }) => {
  await page.goto("/migration");
  const released = Promise.withResolvers<void>();
  await page.route(
    (url) => url.pathname === "/migration/new",
    async (route) => {
      await released.promise;
      await route.continue();
    },
  );
  // Its words depend on whether the organization has a migration.
  await page.getByRole("main").locator('a[href="/migration/new"]').click();
  const bar = page.getByRole("progressbar", { name: "Loading the page" });
  await expect(bar).toBeVisible();
  released.resolve();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Connect a Salesforce org");
  await expect(bar).toHaveCount(0);
});

test("a page asks for another one in advance once its link is pointed at, and not before", async ({ page }) => {
  await createMany(page, "accounts", [{ name: newWord() }]);
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.headers()["next-router-prefetch"]) asked.push(new URL(request.url()).pathname);
  });
  await page.goto("/accounts");
  // Its list comes later than anything that is in view at first.
  await expect(page.getByRole("row").nth(1)).toBeVisible();
  await page.getByRole("link", { name: "Cases", exact: true }).hover();
  await expect.poll(() => asked).toContain("/cases");
  await page.getByRole("link", { name: "Contacts", exact: true }).focus();
  await expect.poll(() => asked).toContain("/contacts");
  expect(new Set(asked)).toEqual(new Set(["/cases", "/contacts"]));
});

test("a page that fails says so within its frame, and works when tried again @phone", async ({ page }) => {
  await page.route("**/record_counts", (route) => route.fulfill({ json: { data: "no list" } }));
  await page.goto("/");
  const alert = page.getByRole("alert").filter({ hasText: "This page failed to load" });
  await expect(alert).toContainText("What you have saved is safe.");
  await expectSoundPage(page);
  await expectReadableColors(page);
  await page.unroute("**/record_counts");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Home" })).toBeVisible();
});

test("the menu says who and where one is, changes the colors, and gives the focus back @phone", async ({ page }) => {
  await page.goto("/accounts");
  const button = page.getByRole("button", { name: /^Your account/ });
  await button.click();
  await expect(page.getByRole("menu")).toContainText("Admin of");
  await expectSoundPage(page);
  await page.getByRole("menuitemradio", { name: "Dark" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", "dark");
  await page.getByRole("menuitemradio", { name: "As the system" }).click();
  await page.keyboard.press("Escape");
  await expect(button).toBeFocused();
});

test("a menu whose code comes late does not take the focus from who has gone on", async ({ page }) => {
  await page.goto("/accounts");
  const button = page.getByRole("button", { name: /^Your account/ });
  const released = Promise.withResolvers<void>();
  await page.route("**/_next/static/**", (route) => released.promise.then(() => route.continue()));
  await button.press("Enter");
  await expect(button).toHaveAttribute("aria-busy", "true");
  const link = page.getByRole("link", { name: "Contacts", exact: true });
  await link.focus();
  released.resolve();
  await expect(button).toHaveAttribute("aria-busy", "false");
  await expect(page.getByRole("menu")).toHaveCount(0);
  await expect(link).toBeFocused();
  await button.press("Enter");
  await expect(page.getByRole("menu")).toBeVisible();
});

test("a button that has loaded by the time it loses the focus gets it back", async ({ page }) => {
  await page.goto("/settings");
  await page.evaluate(() => {
    const button = document.createElement("button");
    button.textContent = "Loads";
    // React replaces the content of a page that is still streamed.
    button.style.cssText = "position: fixed; inset: auto 1rem 1rem auto; z-index: 1000";
    document.body.append(button);
    button.addEventListener("click", () => (button.disabled = true));
    button.addEventListener("blur", () => setTimeout(() => (button.disabled = false)));
  });
  const button = page.getByRole("button", { name: "Loads" });
  await button.click();
  await expect(button).toBeFocused();
  await expect(button).toBeEnabled();
});

test("a form that is sent by Enter, and is locked until it is answered, does not give the focus away", async ({
  page,
}) => {
  await page.goto("/products/new");
  const name = page.getByLabel("Name", { exact: false }).first();
  await name.fill("Sent by Enter");
  const { promise: isSeen, resolve: answer } = Promise.withResolvers<void>();
  await page.route("**/api/v1/products", async (route) => {
    await isSeen;
    await route.continue();
  });
  await name.press("Enter");
  await expect(name).toBeDisabled();
  const isGiven = await page.getByRole("main").evaluate(async (main) => {
    // Longer than a lost focus is waited for.
    await new Promise((done) => setTimeout(done, 200));
    return document.activeElement === main;
  });
  expect(isGiven).toBe(false);
  answer();
  await page.waitForURL(/\/products\/[-0-9a-f]+$/);
});

test("a record that does not exist is reported as missing, with a link to the list", async ({ page }) => {
  await page.goto("/accounts/01890000-0000-7000-8000-000000000000");
  const alert = page.getByRole("alert").filter({ hasText: "Not found" });
  await expect(alert).toContainText(REQUEST);
  await expect(alert.getByRole("button", { name: "Try again" })).toHaveCount(0);
  await alert.getByRole("link", { name: "All accounts" }).click();
  await expect(page).toHaveURL("/accounts");
});

for (const path of ["/nothing", "/nothing/at/all"]) {
  test(`${path} is reported as no page`, async ({ page }) => {
    await page.goto(path);
    await expect(page).toHaveTitle(/^Page not found/);
    await expect(page.getByRole("link", { name: "Go to the start page" })).toBeVisible();
    await expect(page.getByRole("main")).toHaveCount(1);
  });
}

signedOut("a page that is not there has its main part also for those who have not signed in", async ({ page }) => {
  await page.goto("/nothing");
  await expect(page.getByRole("main").getByRole("link", { name: "Go to the start page" })).toBeVisible();
  await expect(page.getByRole("main")).toHaveCount(1);
});

signedOut("signing out ends the session: Back leads to the sign-in page", async ({ page }) => {
  await signIn(page, "/accounts");
  await page.getByRole("button", { name: /Your account/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.waitForURL(/\/sign-in/);
  await page.goto("/accounts");
  await expect(page.getByRole("button", { name: "Sign in", exact: true })).toBeVisible();
});
