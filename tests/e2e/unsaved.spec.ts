import { expect, type Page } from "@playwright/test";

import { expectSoundListedPage } from "@/tests/e2e/support/listed-pages";
import { analyzeOrg, test as withOrg } from "@/tests/e2e/support/own-org";
import { expectSoundPage } from "@/tests/e2e/support/page-checks";
import { test } from "@/tests/e2e/support/signed-in";
import { send } from "@/tests/e2e/support/webhook-pages";

const question = (page: Page) => page.getByRole("dialog", { name: "Leave without saving?" });

/** Goes to a page by the command palette, whose choice is no link. */
async function goByPalette(page: Page, name: string): Promise<void> {
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: "Search or go to" });
  await palette.getByRole("combobox").fill(name);
  await palette.getByRole("option", { name }).first().click();
}

const back = (page: Page) => page.evaluate(() => window.history.back());

async function stay(page: Page): Promise<void> {
  await question(page).getByRole("button", { name: "Stay here" }).click();
  await expect(question(page)).toBeHidden();
}

async function leave(page: Page): Promise<void> {
  await question(page).getByRole("button", { name: "Leave without saving" }).click();
}

withOrg("unsaved choices are asked about by link, by the command palette and by Back @phone", async ({ page, org }) => {
  const path = await analyzeOrg(page, org);
  await page.getByRole("link", { name: "Continue to configure" }).click();
  await page.getByRole("tab", { name: "Options" }).or(page.getByLabel("Part of the configuration")).first().waitFor();
  await page.goto(`${path}/report`);
  await page.getByRole("link", { name: "Configure options" }).first().click();
  await page.getByRole("checkbox", { name: /^Copy attachments/ }).check();
  await expect(page.getByText("1 change is not saved")).toBeVisible();
  await expectSoundListedPage(page, "migration-4-configure-options");
  const size = page.getByLabel("Largest file, in MB");
  const before = await size.inputValue();
  await size.fill("");
  await size.blur();
  await expect(size).toHaveValue(before);

  await page.getByRole("link", { name: "Back to the report" }).click();
  await expect(question(page)).toContainText("Your changes to the configuration are not saved");
  await expectSoundPage(page);
  await stay(page);
  await expect(page.getByRole("link", { name: "Back to the report" })).toBeFocused();
  await goByPalette(page, "Products");
  await stay(page);
  await back(page);
  await stay(page);
  expect(new URL(page.url()).pathname).toBe(`${path}/configure`);
  await expect(page.getByText("1 change is not saved")).toBeVisible();

  // As when somebody else starts the run, which locks the step.
  const migration = `**/api/v1${path}`;
  await page.route(migration, async (route) => {
    const response = await route.fetch();
    const read = (await response.json()) as object;
    await route.fulfill({ response, json: { ...read, status: "running" } });
  });
  await page.getByRole("button", { name: "Back to the progress" }).click();
  await stay(page);
  await page.unrouteAll({ behavior: "wait" });
  await expect(page.getByRole("button", { name: "Save and continue" })).toBeVisible();

  await back(page);
  await leave(page);
  await page.waitForURL(`${path}/report`);
  await expect(question(page)).toBeHidden();
  await page.goForward();
  await page.waitForURL(new RegExp(`${path}/configure`));
  await page.getByRole("checkbox", { name: /^Copy attachments/ }).check();
  await goByPalette(page, "Products");
  await leave(page);
  await page.waitForURL("**/products");
  await page.goto(`${path}/configure?part=options`);
  await expectToStayForNewChoices(page);
});

/** Saves choices to go on, and makes another one before they are saved. */
async function expectToStayForNewChoices(page: Page): Promise<void> {
  await page.getByRole("checkbox", { name: /^Copy attachments/ }).check();
  const { promise: isChosen, resolve: answer } = Promise.withResolvers<void>();
  await page.route("**/configuration", async (route) => {
    if (route.request().method() === "PUT") await isChosen;
    await route.continue();
  });
  await page.getByRole("button", { name: "Save and continue" }).click();
  await page.getByRole("checkbox", { name: /^Send events of imported records/ }).check();
  await expect(page.getByText("2 changes are not saved")).toBeVisible();
  answer();
  await expect(page.getByText("1 change is not saved")).toBeVisible();
  await goByPalette(page, "Products");
  await stay(page);
}

test("so are the values of a new record, but not by its own Cancel", async ({ page }) => {
  await page.goto("/accounts");
  await page.getByRole("link", { name: "New account" }).first().click();
  await page.getByLabel("Name", { exact: false }).first().fill("Never stored");
  await back(page);
  await stay(page);
  await goByPalette(page, "Products");
  await stay(page);
  await page.getByRole("link", { name: "Cancel" }).click();
  await page.waitForURL("**/accounts");
  await expect(question(page)).toBeHidden();
});

test("who leaves while a record is created is not led to it afterwards", async ({ page }) => {
  await page.goto("/products/new");
  await page.getByLabel("Name", { exact: false }).first().fill("Sent late");
  const { promise: isAnswered, resolve: answer } = Promise.withResolvers<void>();
  await page.route("**/api/v1/products", async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    await isAnswered;
    await route.continue();
  });
  const sent = page.waitForResponse((response) => response.request().method() === "POST");
  await page.getByRole("button", { name: "Create the product" }).click();
  await expect(page.getByLabel("Name", { exact: false }).first()).toBeDisabled();
  await goByPalette(page, "New account");
  await leave(page);
  await page.waitForURL("**/accounts/new");
  await page.getByLabel("Name", { exact: false }).first().fill("Typed since");
  answer();
  await (await sent).finished();
  await page.getByLabel("Name", { exact: false }).first().press("End");
  await expect(page).toHaveURL(/\/accounts\/new$/);
  await expect(page.getByLabel("Name", { exact: false }).first()).toHaveValue("Typed since");
});

test("taking back a deletion asks as well before it leads to the record", async ({ page }) => {
  await page.goto("/products/new");
  await page.getByLabel("Name", { exact: false }).first().fill("Deleted and wanted again");
  await page.getByRole("button", { name: "Create the product" }).click();
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Delete it" }).click();
  await page.waitForURL("**/products");
  await page.getByRole("link", { name: "New product" }).click();
  await page.getByLabel("Name", { exact: false }).first().fill("Half typed");
  await page.getByRole("button", { name: "Undo" }).click();
  await stay(page);
  await expect(page.getByLabel("Name", { exact: false }).first()).toHaveValue("Half typed");
});

test("what is typed while something is saved stays, and is not called saved", async ({ page }) => {
  await page.goto("/settings/account");
  const name = page.getByRole("textbox", { name: "Name", exact: true });
  const before = await name.inputValue();
  const { promise: isTyped, resolve: answer } = Promise.withResolvers<void>();
  await page.route("**/settings/account", async (route) => {
    if (route.request().method() !== "PATCH") return route.continue();
    await isTyped;
    await route.fulfill({ json: { name: `${before} Jr` } });
  });
  await name.fill(`${before} Jr`);
  const answered = page.waitForResponse((response) => response.request().method() === "PATCH");
  await page.getByRole("button", { name: "Save changes" }).click();
  await name.fill(`${before} Senior`);
  answer();
  await answered;
  await expect(page.getByRole("button", { name: "Save changes" })).toBeEnabled();
  await expect(name).toHaveValue(`${before} Senior`);
  await goByPalette(page, "Products");
  await stay(page);
});

test("two forms of a page ask once, and settings ask as records do", async ({ page }) => {
  const { id } = await send(page, "POST", "/cases", { subject: "The pump leaks" });
  await page.goto(`/cases/${id}`);
  await page.getByRole("textbox", { name: "Comment" }).fill("Half a comment");
  await page.getByRole("button", { name: "Log an activity" }).click();
  await page.getByLabel("Subject").fill("Half an activity");
  await goByPalette(page, "Products");
  await expect(question(page)).toContainText("The words of your comment and the words of your activity are not saved");
  await stay(page);
  await goByPalette(page, "Organization");
  await leave(page);
  await page.waitForURL("**/settings/organization");
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("Half a name");
  await goByPalette(page, "Products");
  await stay(page);
  await page.getByRole("button", { name: "Discard changes" }).click();
  await goByPalette(page, "Products");
  await page.waitForURL("**/products");
});

test("a click beside the form of a new member, and Escape, leave what was typed into it", async ({ page }) => {
  await page.goto("/settings/members");
  await page.getByRole("button", { name: "Add a member" }).click();
  const dialog = page.getByRole("dialog", { name: "Add a member" });
  await dialog.getByLabel("Name").fill("Nia Newcomer");
  await page.mouse.click(5, 5);
  await page.keyboard.press("Escape");
  await dialog.getByLabel("E-mail address").fill("nia@demo.example");
  await expect(dialog.getByLabel("Name")).toHaveValue("Nia Newcomer");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(dialog).toBeHidden();
});
