import { randomBytes } from "node:crypto";

import { expect, type Locator, type Page } from "@playwright/test";

import { expectSoundListedPage } from "@/tests/e2e/support/listed-pages";
import { expectSoundPage, REQUEST } from "@/tests/e2e/support/page-checks";
import { test } from "@/tests/e2e/support/signed-in";

/** Sends a request to the API, as another tab or somebody else would. */
async function ask(page: Page, method: string, path: string, body?: object): Promise<{ id: string }> {
  return page.evaluate(
    async ([verb, target, json]) => {
      const headers = { "content-type": "application/json" };
      const answer = await fetch(`/api/v1${target}`, { method: verb, headers, ...(json && { body: json }) });
      if (!answer.ok) throw new Error(`${verb} ${target}: ${await answer.text()}`);
      return (await answer.json()) as { id: string };
    },
    [method, path, body && JSON.stringify(body)] as const,
  );
}

/** A name that no other record has. */
function unique(name: string): string {
  return `${name} ${randomBytes(4).toString("hex")}`;
}

async function createDeal(page: Page, stage: string) {
  const name = unique("Deal");
  const { id } = await ask(page, "POST", "/opportunities", { name, stage, close_date: "2099-12-31", amount: 1200 });
  return { id, name };
}

/** The card of an opportunity in the column of a stage. */
function cardIn(page: Page, stage: string, name: string): Locator {
  return page.getByRole("region", { name: stage, exact: true }).getByRole("listitem").filter({ hasText: name });
}

/** Opens the menu of a card and chooses a stage, by keyboard. */
async function moveByKeyboard(page: Page, name: string, to: string): Promise<void> {
  await page.getByRole("button", { name: `Move ${name}` }).press("Enter");
  await page.getByRole("menuitem", { name: to }).press("Enter");
}

test("a lead becomes part of an existing account, and its page shows what it became @phone", async ({ page }) => {
  await page.goto("/leads");
  const company = unique("Weir Pumps");
  const { id: accountId } = await ask(page, "POST", "/accounts", { name: company });
  const { id } = await ask(page, "POST", "/leads", { first_name: "Mira", last_name: "Okafor", company });
  await page.goto(`/leads/${id}`);
  await page.getByRole("link", { name: "Convert" }).click();
  await expect(page.getByRole("textbox", { name: "Name of the account" })).toHaveValue(company);
  await page.getByRole("button", { name: `Use ${company}` }).click();
  await expect(page.getByRole("radio", { name: /^An existing account/ })).toBeFocused();
  await expect(page.getByRole("combobox", { name: "Account" })).toHaveValue(company);
  await expectSoundListedPage(page, "leads-convert");
  await page.getByLabel("Close date").fill("");
  await page.getByRole("button", { name: "Convert the lead" }).click();
  await expect(page.getByLabel("Close date")).toHaveAttribute("aria-invalid", "true");
  await page.getByLabel("Close date").fill("2099-12-31");
  await page.getByRole("button", { name: "Convert the lead" }).click();

  await page.waitForURL(`/leads/${id}`);
  const became = page.getByRole("alert").filter({ hasText: "Converted" });
  await expect(became.getByRole("link", { name: company }).first()).toHaveAttribute("href", `/accounts/${accountId}`);
  await expect(became.getByRole("link", { name: "Mira Okafor" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Edit", exact: true })).toHaveCount(0);
  await page.goto(`/leads/${id}/edit`);
  await expect(page.getByText("A converted lead can no longer change.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Save changes" })).toHaveCount(0);
  await expectSoundPage(page);
  await became.getByRole("link", { name: "Mira Okafor" }).click();
  await expect(page.getByRole("heading", { name: "Mira Okafor", level: 1 })).toBeVisible();
});

test("a lead that somebody else converts meanwhile leads to what it became", async ({ page }) => {
  await page.goto("/leads");
  const { id } = await ask(page, "POST", "/leads", { last_name: "Twice", company: unique("Twice Ltd") });
  await page.goto(`/leads/${id}/convert`);
  await page.getByRole("checkbox", { name: "Create an opportunity" }).uncheck();
  await ask(page, "POST", `/leads/${id}/convert`, {});
  await page.getByRole("button", { name: "Convert the lead" }).click();
  const refusal = page.getByRole("alert").filter({ hasText: "already been converted" });
  await expect(refusal).toBeFocused();
  await expect(refusal).toContainText(REQUEST);
  await page.getByRole("link", { name: "See what it became" }).click();
  await page.waitForURL(`/leads/${id}`);
});

test("a lead that is converted while it is edited keeps what was typed", async ({ page }) => {
  await page.clock.install();
  await page.goto("/leads");
  const { id } = await ask(page, "POST", "/leads", { last_name: "Edited", company: unique("Edited Ltd") });
  await page.goto(`/leads/${id}/edit`);
  const name = page.getByRole("textbox", { name: "Last name" });
  await name.fill("Typed");
  await ask(page, "POST", `/leads/${id}/convert`, {});
  // Somebody comes back to the page, which then reads again what is old.
  await page.clock.fastForward("01:00");
  await page.evaluate(() => window.dispatchEvent(new Event("visibilitychange")));
  await expect(page.getByText("A converted lead can no longer change.")).toBeVisible();
  await expect(name).toHaveValue("Typed");
});

test("a case is escalated with a reason, closed, and opened again", async ({ page }) => {
  await page.goto("/cases");
  const { id } = await ask(page, "POST", "/cases", { subject: "The line stands still" });
  await page.goto(`/cases/${id}`);
  await page.getByRole("button", { name: "Escalate" }).click();
  const dialog = page.getByRole("dialog", { name: "Escalate this case?" });
  const reason = dialog.getByRole("textbox", { name: "Why does it need attention?" });
  await expect(reason).toBeFocused();
  await expectSoundPage(page);
  await dialog.getByRole("button", { name: "Escalate it" }).click();
  await expect(reason).toHaveAttribute("aria-invalid", "true");
  await reason.fill("Production has stopped.");
  await dialog.getByRole("button", { name: "Escalate it" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Escalated" })).toContainText("Production has stopped.");
  await expect(page.getByRole("button", { name: "Escalate" })).toHaveCount(0);
  await expect(page.getByRole("main")).toBeFocused();
  await expectSoundPage(page);

  await page.getByRole("button", { name: "Close", exact: true }).dblclick();
  await expect(page.getByRole("alert").filter({ hasText: "Case closed" })).toBeVisible();
  const reopen = page.getByRole("button", { name: "Reopen" });
  await expect(reopen).toBeVisible();
  await expect(page.getByRole("button", { name: "Escalate" })).toHaveCount(0);

  // Somebody else changes it, which this page has not seen.
  await ask(page, "PATCH", `/cases/${id}`, { priority: "high" });
  await reopen.click();
  await expect(page.getByText("The case was not changed")).toBeVisible();
  await expect(page.getByRole("definition").filter({ hasText: "High" })).toBeVisible();
  await reopen.click();
  await expect(page.getByRole("button", { name: "Escalate" })).toBeVisible();
});

test("an opportunity is moved on the board by keyboard, and its page tells the stages @phone", async ({ page }) => {
  await page.goto("/opportunities");
  const { id, name } = await createDeal(page, "prospecting");
  await page.getByRole("link", { name: "Board" }).click();
  await expect(cardIn(page, "Prospecting", name)).toBeVisible();
  await expectSoundListedPage(page, "opportunities-board");
  await moveByKeyboard(page, name, "Negotiation");
  await expect(cardIn(page, "Negotiation", name)).toBeVisible();
  await expect(page.getByText(`${name} is now in Negotiation.`)).toBeAttached();
  await expect(page.getByRole("button", { name: `Move ${name}` })).toBeFocused();

  await page.goto(`/opportunities/${id}`);
  const stages = page.getByRole("region", { name: "Stages" });
  await expect(stages.getByRole("listitem").first()).toContainText("Prospecting → Negotiation");
  await expect(stages.getByRole("listitem").last()).toContainText("Created in Prospecting");
  await expectSoundPage(page);
});

test("a move that comes too late is taken back, and says so", async ({ page }) => {
  await page.goto("/opportunities");
  const { id, name } = await createDeal(page, "proposal");
  await page.goto("/opportunities/board");
  await expect(cardIn(page, "Proposal", name)).toBeVisible();
  await ask(page, "PATCH", `/opportunities/${id}`, { stage: "closed_won" });
  await moveByKeyboard(page, name, "Closed lost");
  const refusal = page.getByRole("alert").filter({ hasText: `${name} was not moved to Closed lost` });
  await expect(refusal).toContainText("Somebody else has changed it meanwhile.");
  await expect(refusal).toContainText(REQUEST);
  await expect(cardIn(page, "Closed won", name)).toBeVisible();
  await expect(cardIn(page, "Closed lost", name)).toHaveCount(0);
  await expect(cardIn(page, "Proposal", name)).toHaveCount(0);
});

test("an opportunity is dragged to another stage", async ({ page }) => {
  await page.goto("/opportunities");
  const { name } = await createDeal(page, "prospecting");
  await page.goto("/opportunities/board");
  const column = page.getByRole("region", { name: "Qualification", exact: true });
  await cardIn(page, "Prospecting", name).dragTo(column);
  await expect(cardIn(page, "Qualification", name)).toBeVisible();
  await expect(page.getByText(`${name} is now in Qualification.`)).toBeAttached();
});

test("a record that somebody has changed meanwhile is deleted on a second try, once its page shows it", async ({
  page,
}) => {
  await page.goto("/products");
  const { id } = await ask(page, "POST", "/products", { name: unique("Valve") });
  await page.goto(`/products/${id}`);
  await page.getByRole("button", { name: "Delete" }).click();
  const name = unique("Renamed");
  await ask(page, "PATCH", `/products/${id}`, { name });
  const dialog = page.getByRole("dialog", { name: "Delete this product?" });
  await dialog.getByRole("button", { name: "Delete it" }).click();
  await expect(dialog.getByRole("alert")).toContainText("This was changed meanwhile");
  await expect(dialog.getByText(name)).toBeVisible();
  await dialog.getByRole("button", { name: "Delete it" }).click();
  await page.waitForURL("**/products");
});
