import { expect, type Page } from "@playwright/test";

import { expectSoundListedPage } from "@/tests/e2e/support/listed-pages";
import { expectSoundPage } from "@/tests/e2e/support/page-checks";
import { test } from "@/tests/e2e/support/signed-in";

const PATH = "/settings/audit-log";
/** With a query or without. */
const EVENTS = /\/api\/v1\/settings\/audit_events(?:\?|$)/;

const rows = (page: Page) => page.getByRole("main").locator("summary");

/** Answers the page's requests for events with `body`. */
function answer(page: Page, body: unknown, status = 200): Promise<unknown> {
  const contentType = status === 200 ? "application/json" : "application/problem+json";
  return page.route(EVENTS, (route) => route.fulfill({ status, contentType, body: JSON.stringify(body) }));
}

test("shows the newest event first, as a sentence whose details unfold by keyboard", async ({ page }) => {
  await page.goto(PATH);
  const signIn = rows(page).filter({ hasText: "signed in" }).first();
  await expect(signIn).toContainText("Demo Admin <admin-");
  await signIn.focus();
  await page.keyboard.press("Enter");
  const details = page.locator("details[open]");
  await expect(details).toContainText("Network address");
  await expect(details).toContainText("sign_in.succeeded");
  await expectSoundListedPage(page, "settings-audit-log");
});

test("filters are in the address and filter the log, and Back removes them", async ({ page }) => {
  await page.goto(PATH);
  await expect(rows(page).first()).toBeVisible();
  await page.getByLabel("What").selectOption("API client created");
  await expect(page).toHaveURL(/\?what=client\.created$/);
  await expect(rows(page).filter({ hasNotText: "created the API client" })).toHaveCount(0);
  await page.getByLabel("API client", { exact: true }).selectOption("Demo client");
  await page
    .getByLabel("Who")
    .selectOption({ label: await page.getByRole("option", { name: /^Demo Admin </ }).innerText() });
  await expect(page).toHaveURL(/what=client\.created&who=[0-9a-f-]+&client=[0-9a-f-]+$/);
  await expect(rows(page)).toHaveCount(1);

  await page.reload();
  await expect(rows(page)).toHaveCount(1);
  await expect(page.getByLabel("What")).toHaveValue("client.created");
  await expectSoundPage(page);

  await page.goBack();
  await page.goBack();
  await expect(page).toHaveURL(/\?what=client\.created$/);
  await expect(page.getByLabel("Who")).toHaveValue("");
});

test("an event's details lead to all events of the same API client", async ({ page }) => {
  await page.goto(`${PATH}?what=client.created`);
  await rows(page).filter({ hasText: "“Demo client”" }).click();
  await page.getByRole("button", { name: "Show only what concerns this API client" }).click();
  await expect(page).toHaveURL(/&client=[0-9a-f-]+$/);
  await expect(page.getByRole("button", { name: "Show only what concerns this API client" })).toBeFocused();
});

test("filters that find nothing, are invalid, typed, cleared, or chosen in a row leave a log that can be read", async ({
  page,
}) => {
  await page.goto(`${PATH}?from=2001-01-01&to=2001-12-31`);
  await test.step("a period without events says so, and clearing the filters keeps the focus on the page", async () => {
    await expect(page.getByText("Nothing like that has happened")).toBeVisible();
    await expectSoundPage(page);
    await page.getByLabel("From").fill("2002-01-01");
    await expect(page.getByText("Choose a day that is not before “From”.")).toBeVisible();
    await clearFilters(page);
    await expect(page.getByRole("main")).toBeFocused();
  });
  await test.step("a day that is typed takes effect once, when its year is whole", async () => {
    const before = await page.evaluate(() => window.history.length);
    await page.getByLabel("From").focus();
    await page.keyboard.type("03042021", { delay: 30 });
    await expect(page).toHaveURL(/from=2021-0[34]-0[34]$/);
    await expect(page.getByRole("main").getByRole("alert")).toHaveCount(0);
    expect(await page.evaluate(() => window.history.length)).toBe(before + 1);
    await clearFilters(page);
    // Longer than a typed day waits for its next digit.
    await page.waitForTimeout(800);
    await expect(page).toHaveURL(/\/settings\/audit-log$/);
  });
  await test.step("the second of two filters is chosen before the page has taken in the first", async () => {
    await chooseTwoAtOnce(page);
    await expect(page).toHaveURL(/\?what=client\.created&from=2026-01-01$/);
    await expect(page.getByLabel("What")).toHaveValue("client.created");
  });
  await test.step("invalid filters in the address are ignored", async () => {
    await page.goto(`${PATH}?what=nonsense&who=me&client=%27&from=soon&to=2026-02-31`);
    await expect(rows(page).first()).toBeVisible();
    await expect(page.getByRole("button", { name: "Clear the filters" })).toHaveCount(0);
  });
});

async function clearFilters(page: Page): Promise<void> {
  await page.getByRole("main").getByRole("button", { name: "Clear the filters" }).last().click();
  await expect(page).toHaveURL(/\/settings\/audit-log$/);
  await expect(rows(page).first()).toBeVisible();
}

async function chooseTwoAtOnce(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const chosen: Record<string, string> = { What: "client.created", From: "2026-01-01" };
    for (const [label, value] of Object.entries(chosen)) {
      const field = [...document.querySelectorAll("label")].find(({ textContent }) => textContent === label)?.control;
      if (!(field instanceof HTMLSelectElement || field instanceof HTMLInputElement)) throw new Error(`No ${label}.`);
      // React notices a value only if it is set as the browser sets it.
      const prototype = field instanceof HTMLSelectElement ? HTMLSelectElement.prototype : HTMLInputElement.prototype;
      Object.getOwnPropertyDescriptor(prototype, "value")?.set?.call(field, value);
      field.dispatchEvent(new Event(field instanceof HTMLSelectElement ? "change" : "input", { bubbles: true }));
      await Promise.resolve();
    }
  });
}

test("more events are loaded below the first ones, each once", async ({ page }) => {
  await page.route(EVENTS, (route) => {
    const url = new URL(route.request().url());
    url.searchParams.set("limit", "1");
    return route.continue({ url: url.href });
  });
  await page.goto(PATH);
  await expect(rows(page)).toHaveCount(1);
  await page.getByRole("button", { name: "Load more" }).click();
  await expect(rows(page)).toHaveCount(2);
});

test("an action that this page does not know is shown by its name, its details with labels", async ({ page }) => {
  const event = {
    id: "01890000-0000-7000-8000-000000000000",
    created_at: "2026-11-20T10:00:00.000Z",
    action: "robot.switched_off",
  };
  const nobody = {
    user_id: null,
    user_email: null,
    user_name: null,
    client_id: null,
    client_name: null,
    address: null,
  };
  const details = { why: { battery_level: 3, warnings: ["low", "<b>lower</b>"] }, constructor: null };
  await answer(page, { data: [{ ...event, ...nobody, details }], next_cursor: null, has_more: false });
  await page.goto(PATH);
  await rows(page).filter({ hasText: "Robot switched off: The service" }).click();
  await expect(page.getByText("Battery level")).toBeVisible();
  await expect(page.getByText("<b>lower</b>")).toBeVisible();
  await expectSoundPage(page);
});

test("a log that cannot be read is explained, and can be requested again", async ({ page }) => {
  await answer(
    page,
    { title: "Internal error", status: 500, detail: "Something went wrong on our side.", code: "internal_error" },
    500,
  );
  await page.goto(PATH);
  const alert = page.getByRole("alert").filter({ hasText: "Something went wrong on our side." });
  await expect(alert).toBeVisible();
  await expectSoundPage(page);
  await page.unroute(EVENTS);
  await alert.getByRole("button", { name: "Try again" }).click();
  await expect(rows(page).first()).toBeVisible();
});
