import { expect } from "@playwright/test";

import { test } from "@/tests/e2e/support/signed-in";
import { send } from "@/tests/e2e/support/webhook-pages";

test("what is typed into a reference at once is searched for, and only what matches is chosen", async ({ page }) => {
  await page.goto("/accounts");
  const word = `Quick${Math.random().toString(36).slice(2, 8)}`;
  await send(page, "POST", "/accounts", { name: `${word} Mills` });
  await page.goto("/contacts/new");
  const field = page.getByRole("combobox", { name: "Account" });
  await field.focus();
  await page.keyboard.type(`${word} Mi`, { delay: 20 });
  await expect(field).toBeFocused();
  await expect(field).toHaveValue(`${word} Mi`);
  await expect(page.getByRole("option")).toHaveText([`${word} Mills`]);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(field).toHaveValue(`${word} Mills`);
  // Another one has the name of the chosen one.
  await send(page, "POST", "/accounts", { name: `${word} Mills` });
  await page.keyboard.press("Backspace");
  await page.keyboard.type("s");
  await expect(page.getByRole("option")).toHaveText([`${word} Mills`, `${word} Mills`]);
});

test("a contact who is chosen for a new case brings their account, unless one is chosen already", async ({ page }) => {
  await page.goto("/contacts");
  const word = `Own${Math.random().toString(36).slice(2, 8)}`;
  const names = [`${word} Mills`, `${word} Pumps`];
  for (const name of names) {
    const { id: account_id } = await send(page, "POST", "/accounts", { name });
    await send(page, "POST", "/contacts", { last_name: `${name} Clerk`, account_id });
  }
  await page.goto("/cases/new");
  const contact = page.getByRole("combobox", { name: "Contact", exact: true });
  for (const name of names) {
    await contact.click();
    await contact.fill(`${name} Clerk`);
    await page.getByRole("option", { name: `${name} Clerk` }).click();
    await expect(contact).toHaveValue(`${name} Clerk`);
    await expect(page.getByRole("combobox", { name: "Account", exact: true })).toHaveValue(`${word} Mills`);
  }
});
