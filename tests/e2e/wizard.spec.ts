import { readFile } from "node:fs/promises";

import { expect, type Locator, type Page } from "@playwright/test";

import { connectOrg } from "@/tests/e2e/support/connect-org";
import { expectSoundListedPage } from "@/tests/e2e/support/listed-pages";
import { inOwnOrganization as test } from "@/tests/e2e/support/own-org";
import { expectSoundPage } from "@/tests/e2e/support/page-checks";

const expectNothingWritten = (page: Page) =>
  expect(page.getByText("Nothing is written until you press “Start migration”")).toBeVisible();

/** The bars below a heading of the report. */
function chartOf(page: Page, heading: string): Locator {
  return page.getByRole("heading", { name: heading }).locator("xpath=ancestor::*[.//li][1]");
}

/** What is folded is printed nevertheless. */
async function expectPrintUnfolds(page: Page): Promise<void> {
  const tables = page.getByRole("table", { name: /^Fields of/ });
  const shown = await tables.count();
  await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
  await expect.poll(() => tables.count()).toBeGreaterThan(shown);
  await page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
}

/** An imported record leads to its record in Salesforce and to its migration. */
async function expectOrigin(page: Page, migration: string): Promise<void> {
  const answer = await page.request.get(`/api/v1${new URL(page.url()).pathname}`);
  const { ext_id: id } = (await answer.json()) as { ext_id: string };
  const origin = page.getByRole("region", { name: "Where it comes from" });
  const inSalesforce = origin.getByRole("link", { name: `Open ${id}` });
  await expect(inSalesforce).toHaveAttribute("href", new RegExp(`^https?://[^/]+/${id}$`));
  await origin.getByRole("link", { name: "The migration from" }).click();
  await page.waitForURL(new RegExp(migration));
}

// In an organization of its own: the summary leads to the records that this migration has created.
test("the wizard leads to a summary that accounts for every record; then the org is disconnected @phone", async ({
  page,
  org,
}) => {
  // The analysis and the migration take longer than the usual limit of a test.
  test.setTimeout(900_000);
  await expectNothingWritten(page);
  await expectSoundListedPage(page, "migration-1-connect");

  const migration = await connectOrg(page, org);
  await expectNothingWritten(page);
  await expect(page.getByRole("heading", { name: "Inventory" })).toBeVisible();
  await page.locator("summary", { hasText: "How the score is calculated" }).click();
  await expect(page.getByRole("table", { name: "Parts of the score" }).getByRole("row").last()).toContainText("Score");
  for (const chart of ["Records by object", "Records by year of creation", "Estimated timeline"])
    await expect(chartOf(page, chart).getByRole("listitem").first()).toContainText(/\d/);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Download", exact: true }).click(),
  ]);
  expect(JSON.parse(await readFile(await download.path(), "utf8"))).toHaveProperty("readiness");
  await page.locator("summary", { hasText: "Automations by name" }).click();
  const automations = page.getByRole("table", { name: "Automations by name" }).getByRole("row");
  await expect(automations.first()).toBeVisible();
  const all = await automations.count();
  await page.getByLabel("Find an automation").fill("trigger");
  await expect.poll(() => automations.count()).toBeLessThan(all);
  await page.locator("summary", { hasText: "are kept" }).first().click();
  await expect(page.getByRole("table", { name: /^Fields of/ })).toBeVisible();
  await expectSoundListedPage(page, "migration-3-report");
  await expectPrintUnfolds(page);

  await page.getByRole("link", { name: "Continue to configure" }).click();
  await expectNothingWritten(page);
  await page.getByRole("button", { name: "Fields of Accounts" }).click();
  await page
    .getByLabel(/^Target of/)
    .last()
    .selectOption("Leave out");
  await expect(page.getByText("1 change is not saved")).toBeVisible();
  await expectSoundPage(page);
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText("1 change is not saved")).toHaveCount(0);

  await page.goto(`${migration}/configure?part=options`);
  await page.getByRole("checkbox", { name: "Send events of imported records to webhooks" }).check();
  await page.getByRole("button", { name: "Save and continue" }).click();
  await page.waitForURL(`${migration}/migrate`);
  await page.goto(`${migration}/configure?part=options`);
  await page.getByRole("checkbox", { name: "Send events of imported records to webhooks", checked: true }).uncheck();
  await page.getByRole("button", { name: "Save and continue" }).click();
  await expect(page.getByRole("button", { name: "Start migration" })).toBeVisible();
  await expectNothingWritten(page);
  await expectSoundPage(page);

  await page.getByRole("button", { name: "Start migration" }).click();
  await expect(page.getByRole("heading", { name: "Every record is accounted for" })).toBeVisible({ timeout: 150_000 });
  const sums = page.getByRole("table", { name: "Reconciliation per object" }).getByRole("row");
  for (const row of (await sums.all()).slice(1)) await expect(row).toContainText("Yes");
  const proof = page.getByRole("region", { name: "Comparison with Salesforce" });
  await expect(proof).toContainText("Not compared with Salesforce yet.");
  await proof.getByRole("button", { name: "Compare now" }).click();
  await expect(proof).toContainText(/Proven on|from Salesforce, found on/, { timeout: 300_000 });
  await expect(proof.getByRole("link", { name: "See the comparison" })).toHaveAttribute("href", `${migration}/proof`);
  await expect(page.getByText("Migrate, done")).toBeAttached();
  await page.getByRole("button", { name: /^Show the records: .* copies of e-mails that are here$/ }).click();
  await expect(page.getByRole("table", { name: /copies of e-mails that are here$/ }).getByRole("link")).not.toHaveCount(
    0,
  );
  await expectSoundListedPage(page, "migration-5-migrate");

  await page.goto(migration);
  await page.waitForURL(`${migration}/migrate`);
  await expect(page.getByRole("heading", { name: "Every record is accounted for" })).toBeVisible();

  await page
    .getByRole("table", { name: "Reconciliation per object" })
    .getByRole("link", { name: "Cases", exact: true })
    .click();
  await page.getByRole("table", { name: "Cases" }).getByRole("link").first().click();
  await expect(page.getByRole("heading", { name: "About this record" })).toBeVisible();
  await expectSoundPage(page);
  await expectOrigin(page, migration);

  await page.goto("/migration");
  const orgs = page.getByRole("region", { name: "Connected Salesforce orgs" });
  const disconnect = orgs.getByRole("button", { name: "Disconnect" });
  await expect(disconnect.first()).toBeVisible();
  const connected = await disconnect.count();
  await disconnect.first().click();
  const dialog = page.getByRole("dialog", { name: /^Disconnect “/ });
  await expect(dialog.getByRole("button", { name: "Keep it connected" })).toBeFocused();
  await expectSoundPage(page);
  await dialog.getByRole("button", { name: "Disconnect" }).click();
  await expect(page.getByText("The access is deleted here and revoked at Salesforce.")).toBeVisible();
  await expect(disconnect).toHaveCount(connected - 1);
  await expect(orgs).toBeFocused();
  await page.goto(`${migration}/migrate`);
  await expect(page.getByRole("alert").filter({ hasText: "The Salesforce org is disconnected" })).toContainText(
    "connect the org again",
  );
  await expect(page.getByRole("button", { name: "Run again" })).toBeDisabled();
  await expectSoundPage(page);
});
