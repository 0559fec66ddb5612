import { expect, type Page } from "@playwright/test";

import { tabTo } from "@/tests/e2e/support/keyboard";
import { createMany, newWord, rowsOf } from "@/tests/e2e/support/lists";
import { expectSoundPage } from "@/tests/e2e/support/page-checks";
import { test } from "@/tests/e2e/support/signed-in";

/** By the title of the column; where rows are cards, by the choice above them. */
async function sortByName(page: Page): Promise<void> {
  if (test.info().project.name === "phone") await page.getByRole("combobox", { name: "Order" }).selectOption("A to Z");
  else await page.getByRole("columnheader", { name: "Lead" }).getByRole("button").click();
}

test("the title by which a list is sorted keeps the focus, and turns the order round when pressed again", async ({
  page,
}) => {
  const word = newWord();
  const [first, last] = [`Mia ${word}`, `Zoe ${word}`];
  await createMany(page, "leads", [{ last_name: first }, { last_name: last }]);
  await page.goto(`/leads?q=${word}`);
  await expect(rowsOf(page)).toHaveText([last, first]);
  const title = page.getByRole("columnheader", { name: "Lead" }).getByRole("button");
  await title.press("Enter");
  await expect(rowsOf(page)).toHaveText([first, last]);
  await expect(title).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(rowsOf(page)).toHaveText([last, first]);
  await expect(title).toBeFocused();
});

test("a list is sorted by name, saved under one, shared, renamed and deleted @phone", async ({ page }) => {
  const word = newWord();
  await createMany(
    page,
    "leads",
    ["Über", "alt", "Zoe", "Mia"].map((name) => ({ last_name: `${name} ${word}` })),
  );
  await page.getByRole("searchbox", { name: "Search leads" }).fill(word);
  await expect(rowsOf(page)).toHaveText(["Mia", "Zoe", "alt", "Über"].map((name) => `${name} ${word}`));
  await sortByName(page);
  const sorted = ["alt", "Mia", "Über", "Zoe"].map((name) => `${name} ${word}`);
  await expect(rowsOf(page)).toHaveText(sorted);
  await expect(page.locator("thead th").nth(1)).toHaveAttribute("aria-sort", "ascending");
  await expectSoundPage(page);

  await page.getByRole("button", { name: "Views" }).click();
  await page.getByRole("menuitem", { name: "Save or change views" }).click();
  const dialog = page.getByRole("dialog", { name: "Views of leads" });
  await dialog.getByRole("textbox", { name: "Save what the list shows now as" }).fill(word);
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  const name = dialog.getByRole("textbox", { name: `Name of the view ${word}` });
  await name.fill(`${word} A to Z`);
  // Past the other controls of its row.
  await tabTo(page, dialog.getByRole("switch", { name: `Share the view ${word}` }));
  await page.keyboard.press("Tab");
  const share = dialog.getByRole("switch", { name: `Share the view ${word} A to Z` });
  await share.click({ force: true });
  await expect(share).toBeChecked();
  await expectSoundPage(page);

  await dialog.getByRole("textbox", { name: "Save what the list shows now as" }).fill(`${word} 2`);
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  const second = dialog.getByRole("textbox", { name: `Name of the view ${word} 2` });
  await second.fill(`${word} A to Z`);
  await second.press("Enter");
  await expect(second).toHaveAccessibleDescription("Another of your views has this name.");
  await second.fill(`${word} A`);
  await second.press("Enter");
  const renamed = dialog.getByRole("textbox", { name: `Name of the view ${word} A`, exact: true });
  await expect(renamed).toBeFocused();
  await dialog.getByRole("button", { name: `Delete the view ${word} A`, exact: true }).click();
  await expect(renamed).toHaveCount(0);
  await expect(dialog.getByRole("textbox", { name: `Name of the view ${word} A to Z` })).toBeFocused();
  await dialog.getByRole("button", { name: "Close" }).click();
  await expect(dialog).toBeHidden();

  await page.goto("/leads");
  await page.getByRole("button", { name: "Views" }).click();
  await page.getByRole("menuitem", { name: `${word} A to Z` }).click();
  await expect(rowsOf(page)).toHaveText(sorted);
  await page.getByRole("button", { name: `${word} A to Z` }).click();
  await page.getByRole("menuitem", { name: "Save or change views" }).click();
  await dialog.getByRole("button", { name: `Delete the view ${word} A to Z` }).click();
  const question = page.getByRole("dialog", { name: `Delete “${word} A to Z”?` });
  await expect(question).toContainText("it goes for everybody in the organization");
  await expectSoundPage(page);
  await question.getByRole("button", { name: "Delete it" }).click();
  await expect(dialog.getByRole("textbox", { name: `Name of the view ${word}` })).toHaveCount(0);
});

test("an address with a filter and words that cannot be shows the whole list, and says so", async ({ page }) => {
  await createMany(page, "contacts", [{ last_name: newWord() }]);
  await page.goto("/contacts?account_id=nonsense&q=%25%27");
  await expect(rowsOf(page).first()).toBeVisible();
  const leftOut = page.getByRole("alert").filter({ hasText: "A part of the address was not understood" });
  await expect(leftOut).toContainText("The list is shown without it: Account “nonsense”, Search “%'”.");
  await expectSoundPage(page);
  await page.getByRole("searchbox", { name: "Search contacts" }).fill("a");
  await expect(leftOut).toHaveCount(0);
});

test("the name of a view stays when a key or a click would close the dialog by accident", async ({ page }) => {
  await page.goto("/leads");
  await page.getByRole("button", { name: "Views" }).click();
  await page.getByRole("menuitem", { name: "Save or change views" }).click();
  const dialog = page.getByRole("dialog", { name: "Views of leads" });
  const name = dialog.getByRole("textbox", { name: "Save what the list shows now as" });
  await name.fill("Half a name");
  await page.keyboard.press("Escape");
  await page.mouse.click(5, 5);
  await name.press("End");
  await page.keyboard.type(" more");
  await expect(name).toHaveValue("Half a name more");
  await dialog.getByRole("button", { name: "Close" }).click();
  await expect(dialog).toHaveCount(0);
});
