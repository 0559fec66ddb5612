import { expect } from "@playwright/test";

import { pressOn } from "@/tests/e2e/support/keyboard";
import { expectSoundPage } from "@/tests/e2e/support/page-checks";
import { test } from "@/tests/e2e/support/signed-in";

/** As long as the API takes it. */
const LONG_NAME = "n".repeat(255);

test("by keyboard, custom fields are changed, removed and added, and lists stay as they are @phone", async ({
  page,
}) => {
  await page.goto("/accounts");
  const custom_fields = { Renewal_Tier__c: "gold", Score__c: 7, Old__c: "x", Regions: ["DACH"], [LONG_NAME]: "y" };
  const created = await page.request.post("/api/v1/accounts", {
    headers: { origin: new URL(page.url()).origin },
    data: { name: "Custom Ltd", custom_fields },
  });
  const path = `/accounts/${((await created.json()) as { id: string }).id}`;
  await page.goto(`${path}/edit`);
  await page.getByLabel("Renewal tier").fill("platinum");
  await page.getByLabel("Old", { exact: true }).fill("");
  await page.getByLabel("Score").fill("7,5");
  await pressOn(page, page.getByRole("button", { name: "Add a custom field" }));
  await expect(page.getByLabel("Name of the new field")).toBeFocused();
  await page.keyboard.type("Score__c");
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("Name of the new field")).toHaveAttribute("aria-invalid", "true");
  await expectSoundPage(page);
  await page.getByLabel("Name of the new field").fill("Task.Visited_On__c");
  await page.getByLabel("Kind").selectOption("Date");
  await pressOn(page, page.getByRole("button", { name: "Add the field" }));
  await expect(page.getByLabel("Task: visited on")).toBeFocused();
  await page.getByLabel("Task: visited on").fill("2026-05-01");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText("Write a number, like 12500.50.")).toBeVisible();
  await expect(page.getByLabel("Score")).toBeFocused();
  await page.getByLabel("Score").fill("7.5");
  await expectSoundPage(page);
  await page.getByRole("button", { name: "Save changes" }).click();
  await page.waitForURL(path);
  await expect(page.getByRole("definition").filter({ hasText: "May 1, 2026" })).toBeVisible();
  const stored = await page.request.get(`/api/v1${path}`);
  expect(((await stored.json()) as { custom_fields: object }).custom_fields).toEqual({
    Renewal_Tier__c: "platinum",
    Score__c: 7.5,
    Regions: ["DACH"],
    [LONG_NAME]: "y",
    "Task.Visited_On__c": "2026-05-01",
  });
});
