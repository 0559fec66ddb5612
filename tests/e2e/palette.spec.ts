import { randomBytes } from "node:crypto";

import { expect, type Locator, type Page } from "@playwright/test";

import { expectSoundPage } from "@/tests/e2e/support/page-checks";
import { test } from "@/tests/e2e/support/signed-in";
import { send } from "@/tests/e2e/support/webhook-pages";

const SEARCH = "**/api/v1/search?*";

function palette(page: Page): Locator {
  return page.getByRole("dialog", { name: "Search or go to" });
}

/** Opens the palette by its button, and types. Returns the field. */
async function open(page: Page, words: string): Promise<Locator> {
  await page.getByRole("button", { name: /^Search or go to/ }).click();
  const field = palette(page).getByRole("combobox");
  await expect(field).toBeFocused();
  await field.fill(words);
  return field;
}

/** What Enter would choose, as assistive technology knows it. */
async function active(field: Locator): Promise<string> {
  const id = await field.getAttribute("aria-activedescendant");
  return field.page().locator(`[id="${id}"][role=option][aria-selected=true]`).innerText();
}

test("a record is found by the beginnings of its words and opened by keyboard alone", async ({ page }) => {
  const word = `zq${randomBytes(4).toString("hex")}`;
  await page.goto("/accounts");
  const { id } = await send(page, "POST", "/accounts", { name: `Pumpen ${word} GmbH`, industry: "Machines" });
  await page.keyboard.press("Control+k");
  // At once: its code may still be loading.
  await page.keyboard.type(`${word} pum`);
  const field = palette(page).getByRole("combobox");
  await expect(field).toBeFocused();
  await expect(field).toHaveValue(`${word} pum`);
  await expect(palette(page).getByRole("option")).toHaveCount(1);
  await expect.poll(() => active(field)).toContain(`Pumpen ${word} GmbH`);
  await expectSoundPage(page);
  await page.keyboard.press("Enter");
  await page.waitForURL(`/accounts/${id}`);
  await expect(palette(page)).toHaveCount(0);
});

test("somebody is found by a phone number, nothing by other words, and a search that fails says why", async ({
  page,
}) => {
  const digits = String(randomBytes(4).readUInt32BE()).padStart(10, "3").slice(0, 7);
  await page.goto("/contacts");
  const values = { last_name: "Anrufer", email: "a@anrufer.example", mobile_phone: `+49 (0)172 ${digits}` };
  await send(page, "POST", "/contacts", values);
  const field = await open(page, `0172/${digits.slice(0, 3)} ${digits.slice(3)}`);
  await expect(palette(page).getByRole("option")).toHaveCount(1);
  await expect.poll(() => active(field)).toContain(`Anrufer\nContact · +49 (0)172 ${digits} · a@anrufer.example`);
  await field.fill(digits);
  await expect.poll(() => active(field)).toContain("Anrufer");
  await expectSoundPage(page);

  await field.fill("z");
  await expect(palette(page).getByText("Type one more letter to search records.").last()).toBeVisible();
  await field.fill("xyzzyplugh");
  await expect(palette(page).getByText("Nothing found.", { exact: false })).toBeVisible();
  await expectSoundPage(page);

  const problem = { title: "Forbidden", status: 403, detail: "Nobody may search now.", code: "forbidden" };
  await page.route(SEARCH, (route) =>
    route.fulfill({
      status: 403,
      contentType: "application/problem+json",
      body: JSON.stringify({ ...problem, request_id: "req_1" }),
    }),
  );
  await field.fill("webhooks");
  const alert = palette(page).getByRole("alert");
  await expect(alert).toContainText("Nobody may search now.");
  await expect(alert).toContainText("Request req_1");
  await expect(palette(page).getByRole("option", { name: "Webhooks" })).toBeVisible();
  await expectSoundPage(page);
});

test("what is typed before the palette is there is kept for it, and sends no form", async ({ page }) => {
  await page.goto("/accounts/new");
  await page.getByRole("textbox", { name: "Name" }).fill("Half-typed");
  const released = Promise.withResolvers<void>();
  await page.route("**/_next/static/**", async (route) => {
    await released.promise;
    await route.continue();
  });
  await page.keyboard.press("Control+k");
  await page.keyboard.type("audit\n");
  released.resolve();
  await expect(palette(page).getByRole("combobox")).toHaveValue("audit");
  await expect(page).toHaveURL("/accounts/new");
});

test("the field stays where it is, however many results there are", async ({ page }) => {
  await page.goto("/migration");
  const field = await open(page, "");
  await expect(palette(page).getByRole("option", { name: "Accounts" })).toBeVisible();
  const before = await field.boundingBox();
  await field.fill("zq no such thing");
  await expect(palette(page).getByText("Nothing found.", { exact: false }).last()).toBeVisible();
  expect(await field.boundingBox()).toEqual(before);
});

test("pages and what can be created are found by name; arrows choose, Escape leaves @phone", async ({ page }) => {
  await page.goto("/migration");
  const button = page.getByRole("button", { name: /^Search or go to/ });
  const field = await open(page, "");
  await expect(palette(page).getByRole("option", { name: "Accounts" })).toBeVisible();
  await expectSoundPage(page);
  await field.press("ArrowDown");
  await field.press("ArrowDown");
  await expect.poll(() => active(field)).toBe("Accounts");
  await field.press("Escape");
  await expect(palette(page)).toHaveCount(0);
  await expect(button).toBeFocused();

  await open(page, "new cont");
  await page.keyboard.press("Enter");
  await page.waitForURL("/contacts/new");
  await expect(page.getByRole("heading", { name: "New contact" })).toBeVisible();

  await open(page, "audit");
  await palette(page).getByRole("option", { name: "Audit log" }).click();
  await page.waitForURL("/settings/audit-log");
});
