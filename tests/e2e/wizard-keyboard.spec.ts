import { expect } from "@playwright/test";

import { pressOn, typeInto } from "@/tests/e2e/support/keyboard";
import { expectAccounted, hurry, slowDown, test } from "@/tests/e2e/support/own-org";
import { expectReadableColors, expectSoundPage } from "@/tests/e2e/support/page-checks";

test.setTimeout(900_000);

test("the whole wizard by keyboard alone, from the start page over pause and cancel to proof and undo", async ({
  page,
  org,
}) => {
  const link = (name: string | RegExp) => page.getByRole("link", { name }).first();
  const button = (name: string | RegExp) => page.getByRole("button", { name });
  await page.goto("/migration");
  await pressOn(page, link("Start a new migration").or(link("Connect a Salesforce org")));
  await typeInto(page, page.getByLabel("Address of your Salesforce org"), org.instanceUrl);
  await typeInto(page, page.getByRole("textbox", { name: "Access token" }), org.accessToken);
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/report$/, { timeout: 120_000 });

  await pressOn(page, link("Continue to configure"));
  await pressOn(page, button("Continue"));
  await slowDown(org);
  await pressOn(page, button("Start migration"));
  const question = page.getByRole("dialog");
  await pressOn(page, button("Pause"));
  await pressOn(page, button("Resume"));
  await expect(button("Pause")).toBeVisible();
  await pressOn(page, button("Cancel the migration"));
  await expect(question).toContainText("The other records are not imported");
  await expect(question.getByRole("button", { name: "Let it run" })).toBeFocused();
  await expectSoundPage(page);
  await pressOn(page, question.getByRole("button", { name: "Cancel the migration" }));
  await expect(page.getByRole("heading", { name: "The migration was cancelled" })).toBeVisible();
  await expect(page.getByRole("main")).toBeFocused();
  await expect(page.getByText(/^(\d+ of \d+ records were|No record was) read/)).toBeVisible();
  const happened = page.getByRole("region", { name: "What happened" });
  await expect(happened).toContainText("Cancelled");
  await expectSoundPage(page);
  await expectReadableColors(page);
  await hurry(org);
  await pressOn(page, button("Run again"));
  await expectAccounted(page);
  await expect(happened).toContainText("Run 2 started");

  await pressOn(page, link("Compare with Salesforce"));
  await pressOn(page, button("Compare with Salesforce"));
  await expect(page.getByRole("alert").filter({ hasText: "Everything is here" })).toBeVisible({ timeout: 120_000 });
  const compared = page.getByRole("table", { name: "Comparison per object" }).getByRole("row");
  await expect(compared.filter({ hasText: "Contacts" })).toContainText("Nothing");
  await pressOn(page, link("Back to the outcome"));

  await pressOn(page, button("Undo the migration"));
  await typeInto(page, question.getByRole("textbox"), "undo");
  await pressOn(page, question.getByRole("button", { name: "Undo the migration" }));
  await expect(page.getByRole("main")).toContainText("Undone", { timeout: 120_000 });
});
