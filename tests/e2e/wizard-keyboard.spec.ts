import { expect } from "@playwright/test";

import { pressOn, typeInto } from "@/tests/e2e/support/keyboard";
import { expectAccounted, test } from "@/tests/e2e/support/own-org";

test.setTimeout(420_000);

test("the whole wizard is walked by keyboard alone, from the start page to the proof and the undo", async ({
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
  await pressOn(page, button("Start migration"));
  await expectAccounted(page);

  await pressOn(page, button("Undo the migration"));
  const question = page.getByRole("dialog");
  await typeInto(page, question.getByRole("textbox"), "undo");
  await pressOn(page, question.getByRole("button", { name: "Undo the migration" }));
  await expect(page.getByRole("main")).toContainText("Undone", { timeout: 120_000 });
});
