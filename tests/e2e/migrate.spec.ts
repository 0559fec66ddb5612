import { expect, type Page } from "@playwright/test";

import {
  analyzeOrg,
  expectAccounted,
  findWorker,
  hurry,
  originOf,
  slowDown,
  start,
  test,
} from "@/tests/e2e/support/own-org";
import { expectSoundPage } from "@/tests/e2e/support/page-checks";

test.setTimeout(420_000);

/** A change in the second in which a delta starts belongs to the next one. */
const justNow = () => new Date(Date.now() - 2000).toISOString();

const importing = (page: Page) => page.getByRole("heading", { name: "Records are being imported" });

const happened = (page: Page) => page.getByRole("region", { name: "What happened" });

test("a run is paused in one browser and resumed in another, and every record arrives", async ({
  page,
  org,
  browser,
  session,
  baseURL,
}) => {
  const migration = await analyzeOrg(page, org);
  await slowDown(org);
  await start(page, migration);
  await expect(importing(page)).toBeVisible();
  await page.getByRole("button", { name: "Pause" }).click();
  const question = page.getByRole("dialog", { name: "Pause the migration?" });
  await expect(question).toContainText("What is here stays");
  await expect(question.getByRole("button", { name: "Let it run" })).toBeFocused();
  await expectSoundPage(page);
  await question.getByRole("button", { name: "Pause" }).click();
  await expect(page.getByRole("heading", { name: "The import is paused" })).toBeVisible();
  await expect(happened(page)).toContainText("Paused");
  await expectSoundPage(page);

  const elsewhere = await browser.newContext({ storageState: session, ...(baseURL && { baseURL }) });
  const other = await elsewhere.newPage();
  await other.goto(migration);
  await other.waitForURL(`${migration}/migrate`);
  await expect(other.getByRole("heading", { name: "The import is paused" })).toBeVisible();
  await other.getByRole("button", { name: "Resume" }).click();
  await expect(importing(other)).toBeVisible();
  await expect(importing(page)).toBeVisible();
  await elsewhere.close();
  await hurry(org);
  await expectAccounted(page);
  await expect(happened(page)).toContainText("Resumed");
});

test("a cancelled run keeps what is here, and a new one brings the rest", async ({ page, org }) => {
  const migration = await analyzeOrg(page, org);
  await slowDown(org);
  await start(page, migration);
  await expect(importing(page)).toBeVisible();
  await page.getByRole("button", { name: "Cancel the migration" }).click();
  const question = page.getByRole("dialog", { name: "Cancel the migration?" });
  await expect(question).toContainText("The other records are not imported");
  await question.getByRole("button", { name: "Cancel the migration" }).click();
  await expect(page.getByRole("heading", { name: "The migration was cancelled" })).toBeVisible();
  await expect(happened(page)).toContainText("Cancelled");
  await expectSoundPage(page);
  await hurry(org);
  await page.getByRole("button", { name: "Run again" }).click();
  await expectAccounted(page);
  await expect(happened(page)).toContainText("Run 2 started");
});

test("a run whose access token expires pauses, and goes on with a new one", async ({ page, org }) => {
  const migration = await analyzeOrg(page, org);
  await slowDown(org);
  await start(page, migration);
  await expect(importing(page)).toBeVisible();
  await org.expireSessions();
  await expect(page.getByRole("alert").filter({ hasText: "The migration paused" })).toBeVisible({ timeout: 60_000 });
  await expectSoundPage(page);
  const form = page.getByRole("region", { name: "Connect again" });
  await form.getByRole("textbox", { name: "New access token" }).fill("expired");
  await form.getByRole("button", { name: "Connect again" }).click();
  await expect(form.getByRole("alert")).toBeVisible();
  await hurry(org);
  const token = `${org.accessToken}-new`;
  await fetch(`${org.instanceUrl}/__control/accept-token`, { method: "POST", body: JSON.stringify({ token }) });
  await form.getByRole("textbox", { name: "New access token" }).fill(token);
  await form.getByRole("button", { name: "Connect again" }).click();
  await expectAccounted(page);
  await expect(happened(page)).toContainText("Connected again");
});

test("a run whose worker is killed goes on with the next one", async ({ page, org, baseURL }) => {
  const migration = await analyzeOrg(page, org);
  await slowDown(org);
  await start(page, migration);
  await expect(page.getByText("importing", { exact: true }).first()).toBeVisible();
  process.kill(findWorker(baseURL ?? ""), "SIGKILL");
  await hurry(org);
  await expectAccounted(page);
  await expect(happened(page)).toContainText("Another worker took over");
});

test("failed records are retried, and a delta brings what changed in Salesforce", async ({ page, org }) => {
  const [dated] = await org.mutate({ op: "insert", object: "Account", fields: { Name: "Undated Pumps" } });
  if (!dated) throw new Error("The org has given no id.");
  await org.mutate({ op: "update", object: "Account", id: dated, fields: { CreatedDate: "1200-01-01T00:00:00Z" } });
  const migration = await analyzeOrg(page, org);
  await start(page, migration);
  await expectAccounted(page);
  const leftOut = page.getByRole("region", { name: "Records that were left out" });
  await expect(leftOut.getByRole("link", { name: "Download as CSV" })).toHaveAttribute("href", /errors\/download$/);
  await expectSoundPage(page);
  await org.mutate({ op: "update", object: "Account", id: dated, fields: { CreatedDate: "2020-01-01T00:00:00Z" } });
  await leftOut.getByRole("button", { name: "Retry failed records" }).click();
  await expect(leftOut.getByRole("button", { name: "Retry failed records" })).toHaveCount(0);
  await expectAccounted(page);
  await expect(happened(page)).toContainText("Retry of what failed started");

  await org.mutate({ op: "insert", object: "Account", fields: { Name: "Late Pumps" }, at: justNow() });
  await page.getByRole("button", { name: "Bring up to date now" }).click();
  await expect(happened(page)).toContainText("Completed the delta", { timeout: 120_000 });
  await expect(page.getByText("The last delta brought")).toBeVisible();
  await page.getByLabel("Start a delta by itself").selectOption("Every 30 minutes");
  await page.getByRole("button", { name: "Schedule", exact: true }).click();
  await expect(page.getByText("A delta starts by itself every 30 minutes")).toBeVisible();
  await expectSoundPage(page);
  await page.getByRole("button", { name: "Stop the schedule" }).click();
  await expect(page.getByText("No delta starts by itself.")).toBeVisible();
});

test("a record that changed on both sides is decided, and an undo keeps what was edited", async ({ page, org }) => {
  const [id] = await org.mutate({ op: "insert", object: "Account", fields: { Name: "Contested Pumps" } });
  if (!id) throw new Error("The org has given no id.");
  const migration = await analyzeOrg(page, org);
  const path = `/api/v1${migration}`;
  const configuration = (await (await page.request.get(`${path}/configuration`)).json()) as object;
  const headers = originOf(page);
  await page.request.put(`${path}/configuration`, { headers, data: { ...configuration, repeat: "decide" } });
  await start(page, migration);
  await expectAccounted(page);
  const found = await page.request.get(`/api/v1/accounts?ext_id=${id}`);
  const { data } = (await found.json()) as { data: { id: string; version: number }[] };
  await page.request.patch(`/api/v1/accounts/${data[0]?.id}`, { headers, data: { phone: "+49 711 1" } });
  await org.mutate({ op: "update", object: "Account", id, fields: { Phone: "+49 711 2" }, at: justNow() });
  await page.getByRole("button", { name: "Bring up to date now" }).click();
  const decision = page.getByRole("table", { name: `Both versions of Account ${id}` });
  await expect(decision).toContainText("+49 711 1", { timeout: 120_000 });
  await expect(decision).toContainText("+49 711 2");
  await expectSoundPage(page);
  await page
    .getByRole("radiogroup", { name: `Take Phone of Account ${id} from` })
    .getByText("Salesforce")
    .click();
  await page.getByRole("button", { name: `Decide Account ${id}` }).click();
  await expect(page.getByText("1 record decided.")).toBeVisible();
  await expect(decision).toHaveCount(0);

  await page.request.patch(`/api/v1/accounts/${data[0]?.id}`, { headers, data: { phone: "+49 711 3" } });
  await page.getByRole("button", { name: "Undo the migration" }).click();
  const question = page.getByRole("dialog", { name: "Undo the migration?" });
  await expect(question.getByRole("table", { name: "What the undo does" })).toContainText("Accounts");
  await expect(question).toContainText("Somebody has edited this record here");
  await expectSoundPage(page);
  await question.getByLabel("Type undo to confirm").fill("undo");
  await question.getByRole("button", { name: "Undo the migration" }).click();
  await expect(page.getByRole("heading", { name: "The migration was undone" })).toBeVisible({ timeout: 120_000 });
  const kept = page.getByRole("table", { name: "Records that were kept" });
  await expect(kept).toContainText("Somebody has edited this record here");
  await expect(happened(page)).toContainText("Undone");
  await expectSoundPage(page);
});
