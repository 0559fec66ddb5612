import { readFile } from "node:fs/promises";

import { expect, type Page } from "@playwright/test";

import { createMany, newWord, rowsOf } from "@/tests/e2e/support/lists";
import { expectSoundPage, REQUEST } from "@/tests/e2e/support/page-checks";
import { test } from "@/tests/e2e/support/signed-in";

/** Deletes or changes a record by the API, as somebody else would. */
async function sendElsewhere(page: Page, method: "DELETE" | "PATCH", path: string, body?: object): Promise<void> {
  const headers = { origin: new URL(page.url()).origin };
  const answer = await page.request.fetch(`/api/v1${path}`, { method, headers, ...(body && { data: body }) });
  expect(answer.status()).toBe(200);
}

test("a long list loads while scrolled, renders few rows, and is where it was after a look at a record @phone", async ({
  page,
}) => {
  const word = newWord();
  const people = Array.from({ length: 200 }, (_, index) => ({ first_name: word, last_name: `Number ${index}` }));
  // More than come with the first two pages, so that the end of what is loaded is not the end of the list.
  for (let batch = 0; batch < 3; batch++) await createMany(page, "contacts", people);
  await page.goto("/contacts");
  const table = page.getByRole("table", { name: "Contacts" });
  await expect(table).toHaveAttribute("aria-rowcount", /^\d{3,}$/);
  await expectSoundPage(page);
  const first = rowsOf(page).first().getByRole("link");
  await first.focus();
  await page.keyboard.press("ArrowDown");
  await expect(rowsOf(page).nth(1).getByRole("link")).toBeFocused();
  await page.keyboard.press("Home");
  await expect(first).toBeFocused();
  await page.keyboard.press("End");
  const focusedIndex = () =>
    page.evaluate(() => Number(document.activeElement?.closest("[data-index]")?.getAttribute("data-index")));
  await expect.poll(focusedIndex).toBeGreaterThan(30);
  const before = await focusedIndex();
  await expect(async () => {
    await page.keyboard.press("End");
    expect(await focusedIndex()).toBeGreaterThan(before);
  }).toPass();
  expect(await rowsOf(page).count()).toBeLessThan(120);
  const name = await page.locator(":focus").textContent();
  const scrolled = () => table.evaluate((element) => element.parentElement?.scrollTop ?? 0);
  const position = await scrolled();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name ?? "");
  await page.goBack();
  await expect.poll(scrolled).toBe(position);
  await page.getByRole("link", { name: "New contact" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "New contact" })).toBeVisible();
  await page.getByRole("main").getByRole("link", { name: "Contacts" }).first().click();
  await expect.poll(scrolled).toBe(0);
});

test("the address holds words, filters, order and columns @phone", async ({ page }) => {
  const word = newWord();
  await createMany(page, "leads", [
    { last_name: `${word} Eins`, status: "contacted", company: "Alpha GmbH" },
    { last_name: `${word} Zwei`, status: "contacted", company: "Beta GmbH", phone: "+49 30 2" },
    { last_name: `${word} Drei`, status: "qualified" },
  ]);
  await page.getByRole("searchbox", { name: "Search leads" }).fill(word);
  await expect(rowsOf(page)).toHaveText([`${word} Drei`, `${word} Zwei`, `${word} Eins`]);
  await page.getByRole("button", { name: /^Filters/ }).click();
  const filters = page.getByRole("dialog", { name: "Filters" });
  const statuses = filters.getByRole("group", { name: "Status" });
  await statuses.getByRole("checkbox", { name: "Qualified", exact: true }).click();
  await statuses.getByRole("checkbox", { name: "Contacted" }).click();
  await expect(filters).toContainText("3 leads");
  await statuses.getByRole("checkbox", { name: "Qualified", exact: true }).click();
  await filters.getByRole("checkbox", { name: "Owner: Me" }).click();
  await expect(filters).toContainText("2 leads");
  await expectSoundPage(page);
  await filters.getByRole("button", { name: "Close" }).click();
  await page.getByRole("combobox", { name: "Order" }).selectOption("Oldest first");
  await expect(rowsOf(page)).toHaveText([`${word} Eins`, `${word} Zwei`]);
  await page.getByRole("button", { name: "Columns" }).click();
  const columns = page.getByRole("dialog", { name: "Columns" });
  await columns.getByRole("checkbox", { name: "Phone", exact: true }).click();
  await columns.getByRole("checkbox", { name: "E-mail" }).press("Space");
  await expect(columns.getByRole("checkbox", { name: "E-mail" })).toBeFocused();
  await expect(columns.getByRole("checkbox", { name: "E-mail" })).not.toBeChecked();
  for (const _ of "123") await columns.getByRole("button", { name: "Move Phone up" }).click();
  await expectSoundPage(page);
  await columns.getByRole("button", { name: "Close" }).click();
  await expect(page.getByRole("table").getByRole("cell", { name: "+49 30 2" })).toBeVisible();
  await expectSoundPage(page);

  const shared = await page.context().newPage();
  await shared.goto(page.url());
  await expect(rowsOf(shared)).toHaveText([`${word} Eins`, `${word} Zwei`]);
  await expect(shared.locator("thead th").nth(2)).toHaveText("Phone");
  await shared.close();

  await page.getByRole("button", { name: "Remove the filter Status" }).click();
  await expect(rowsOf(page)).toHaveText([`${word} Eins`, `${word} Zwei`, `${word} Drei`]);
  await page.goBack();
  await expect(rowsOf(page)).toHaveText([`${word} Eins`, `${word} Zwei`]);
  await page.getByRole("searchbox", { name: "Search leads" }).fill(`${word} nobody`);
  await expect(page.getByText("No leads here")).toBeVisible();
  await expectSoundPage(page);
});

test("the focus stays near words and filters that are taken away", async ({ page }) => {
  await page.goto("/leads?q=zq&status=contacted&created_at%5Bgte%5D=2020-01-01");
  const remove = (label: string) => page.getByRole("button", { name: `Remove the filter ${label}` });
  await remove("Created from").press("Enter");
  await expect(remove("Created from")).toHaveCount(0);
  await expect(remove("Status")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(remove("Status")).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Filters" })).toBeFocused();
  await page.getByRole("button", { name: "Clear the search" }).press("Enter");
  await expect(page).toHaveURL("/leads");
  await expect(page.getByRole("searchbox", { name: "Search leads" })).toBeFocused();
});

test("a list is printed with all rows that are loaded, and without what is pressed or ticked", async ({ page }) => {
  const word = newWord();
  const people = Array.from({ length: 90 }, (_, index) => ({ first_name: word, last_name: `Number ${index}` }));
  await createMany(page, "contacts", people);
  await page.goto(`/contacts?q=${word}`);
  await expect(page.getByText("90 contacts").first()).toBeVisible();
  expect(await rowsOf(page).count()).toBeLessThan(90);
  await page.emulateMedia({ media: "print" });
  await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
  await expect(rowsOf(page)).toHaveCount(90);
  await expect(page.getByRole("checkbox")).toHaveCount(0);
  await expect(page.getByRole("button", { name: /Columns|Export|Filters/ })).toHaveCount(0);
  await expect(page.getByText("90 contacts").first()).toBeVisible();
  await page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
  await page.emulateMedia({ media: null });
  await expect.poll(() => rowsOf(page).count()).toBeLessThan(90);
});

test("a filtered list is downloaded as CSV, and as NDJSON", async ({ page }) => {
  const word = newWord();
  await createMany(page, "leads", [{ last_name: `=${word}`, company: "Gamma" }, { last_name: "Not this one" }]);
  await page.goto(`/leads?q=${word}&columns=company`);
  await page.getByRole("button", { name: "Export" }).click();
  const download = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: "CSV of these columns" }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe("leads.csv");
  const text = await readFile(await file.path(), "utf8");
  expect(text.split("\r\n").slice(0, 2)).toEqual([
    '\uFEFF"id","first_name","last_name","company"',
    expect.stringMatching(new RegExp(`^"[-0-9a-f]{36}",,"'=${word}","Gamma"$`)),
  ]);

  await page.getByRole("button", { name: "Export" }).click();
  const other = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: "NDJSON of all fields" }).click();
  const lines = await readFile(await (await other).path(), "utf8");
  expect(JSON.parse(lines)).toMatchObject({ last_name: `=${word}`, company: "Gamma", custom_fields: {} });
});

test("selected rows are edited, and those that fail are named with the reason @phone", async ({ page }) => {
  const word = newWord();
  const ids = await createMany(
    page,
    "accounts",
    ["One", "Two", "Three", "Four"].map((name) => ({ name: `${word} ${name}` })),
  );
  await page.goto(`/accounts?q=${word}`);
  await page.getByRole("checkbox", { name: `Select ${word} Four` }).click();
  await page.getByRole("checkbox", { name: `Select ${word} Two` }).click({ modifiers: ["Shift"] });
  await expect(page.getByText("3 selected").first()).toBeVisible();
  await expect(page.getByRole("checkbox", { name: `Select ${word} One` })).not.toBeChecked();
  await expectSoundPage(page);
  await sendElsewhere(page, "DELETE", `/accounts/${ids[2]}`);
  await sendElsewhere(page, "PATCH", `/accounts/${ids[1]}`, { phone: "1", industry: "Valves" });
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Edit accounts" });
  await expect(dialog.getByRole("button", { name: "Change 3 accounts" })).toBeDisabled();
  await dialog.getByRole("combobox", { name: "Field" }).selectOption("Industry");
  await expect(dialog.getByRole("button", { name: "Clear Industry of 3 accounts" })).toBeVisible();
  await dialog.getByRole("textbox", { name: "Industry" }).fill("Pumps");
  await expectSoundPage(page);
  await dialog.getByRole("button", { name: "Change 3 accounts" }).click();
  await expect(dialog.getByRole("alert")).toContainText("2 of 3 accounts were not changed");
  await expect(dialog.getByRole("alert")).toContainText(REQUEST);
  await expect(dialog.getByRole("listitem").filter({ hasText: `${word} Three: ` })).toHaveCount(1);
  const changed = dialog.getByRole("listitem").filter({ hasText: `${word} Two: ` });
  await expect(changed).toContainText("Somebody else has changed it meanwhile");
  await expectSoundPage(page);
  await expect(page.getByRole("row", { includeHidden: true }).filter({ hasText: "Valves" })).toHaveCount(1);
  await dialog.getByRole("button", { name: "Change 2 accounts" }).click();
  await expect(page.getByRole("row").filter({ hasText: "Pumps" })).toHaveCount(2);
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole("main")).toBeFocused();
});

test("a deletion that fails in part says so in its dialog, which keeps the focus, though no row is left", async ({
  page,
}) => {
  const word = newWord();
  const ids = await createMany(page, "products", [{ name: `${word} A` }, { name: `${word} B` }]);
  await page.goto(`/products?q=${word}`);
  await page.getByRole("checkbox", { name: `Select ${word} A` }).click();
  await page.getByRole("checkbox", { name: `Select ${word} B` }).click();
  await sendElsewhere(page, "DELETE", `/products/${ids[1]}`);
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Delete products?" });
  await dialog.getByRole("button", { name: "Delete 2 products" }).press("Enter");
  await expect(dialog.getByRole("alert")).toContainText("1 of 2 products was not deleted");
  await expect(page.getByText("No products here")).toBeAttached();
  await expect(dialog.getByRole("alert")).toContainText(`${word} B`);
  await expect(page.locator("[role=dialog]:focus, [role=dialog] :focus")).toHaveCount(1);
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
});

test("selected rows are deleted, and restored by Undo", async ({ page }) => {
  const word = newWord();
  await createMany(page, "products", [{ name: `${word} A` }, { name: `${word} B` }, { name: `${word} C` }]);
  await page.goto(`/products?q=${word}&order=asc`);
  await rowsOf(page).first().getByRole("link").focus();
  await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("Space");
  await page.keyboard.press("Space");
  await expect(page.getByText("2 selected").first()).toBeVisible();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Delete products?" });
  await expect(dialog.getByRole("button", { name: "Keep them" })).toBeFocused();
  await expectSoundPage(page);
  await dialog.getByRole("button", { name: "Delete 2 products" }).click();
  await expect(rowsOf(page)).toHaveText([`${word} C`]);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(rowsOf(page)).toHaveText([`${word} A`, `${word} B`, `${word} C`]);
  await expect(page.getByRole("main")).toBeFocused();
  await page.getByRole("checkbox", { name: `Select ${word} B` }).click();
  await page.getByRole("button", { name: "Select all 3" }).click();
  await expect(page.getByText("3 selected").first()).toBeVisible();
});

test("the bar of a selection does not cover the row that has the focus, not even the last one @phone", async ({
  page,
}) => {
  const word = newWord();
  const people = Array.from({ length: 40 }, (_, index) => ({ first_name: word, last_name: `Number ${index}` }));
  await createMany(page, "contacts", people);
  await page.goto(`/contacts?q=${word}`);
  await rowsOf(page).first().getByRole("link").focus();
  for (let row = 2; row <= 30; row++) await page.keyboard.press("Shift+ArrowDown");
  await expect(page.getByText("30 selected").first()).toBeVisible();
  const bar = page.getByText("30 selected").last();
  const room = async () => {
    const [row, words] = [await page.locator("tr:has(:focus)").boundingBox(), await bar.boundingBox()];
    return (words?.y ?? 0) - (row?.y ?? 0) - (row?.height ?? 0);
  };
  expect(await room()).toBeGreaterThan(0);
  await page.keyboard.press("End");
  await expect(rowsOf(page).last().getByRole("link")).toBeFocused();
  expect(await room()).toBeGreaterThan(0);
});

test("a date that is typed only in part is asked for, in an unchanged form and for many records", async ({ page }) => {
  const word = newWord();
  const [id] = await createMany(page, "activities", [{ type: "task", subject: word }]);
  await page.goto(`/activities/${id}/edit`);
  const due = page.getByLabel("Due date");
  const typePart = async () => {
    await due.focus();
    await page.keyboard.type("1205");
  };
  await typePart();
  await page.getByRole("button", { name: "Save changes" }).press("Enter");
  const fault = page.getByText("Complete the date.");
  await expect(fault).toBeVisible();
  await expect(due).toBeFocused();

  await page.goto(`/activities?q=${word}`);
  await page.getByRole("checkbox", { name: `Select ${word}` }).click();
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Edit activities" });
  const field = dialog.getByRole("combobox", { name: "Field" });
  await field.selectOption("Due date");
  await typePart();
  const clear = dialog.getByRole("button", { name: "Clear Due date of 1 activity" });
  await clear.click();
  await expect(fault).toBeVisible();
  await field.selectOption("Subject");
  await dialog.getByRole("textbox", { name: "Subject" }).fill("Half a subject");
  await page.mouse.click(5, 5);
  await page.keyboard.press("Escape");
  await expect(dialog.getByRole("textbox", { name: "Subject" })).toHaveValue("Half a subject");
  await field.selectOption("Due date");
  await expect(fault).toHaveCount(0);
  await clear.click();
  await expect(dialog).toHaveCount(0);
});
