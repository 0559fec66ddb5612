import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";

import { expect, type Page } from "@playwright/test";

import type { RunningOrg } from "@/sandbox-org/start";
import {
  analyzeOrg,
  analyzeSlowly,
  expectAccounted,
  findWorkers,
  hurry,
  originOf,
  slowDown,
  start,
  test,
} from "@/tests/e2e/support/own-org";
import { expectReadableColors, expectSoundPage } from "@/tests/e2e/support/page-checks";

test.setTimeout(900_000);

interface CopiedFile {
  resource: string;
  record_id: string;
  name: string;
  sha256: string;
}

/** A change in the second in which a delta starts belongs to the next one. */
const justNow = () => new Date(Date.now() - 2000).toISOString();

/** The download of a file takes so long that a person, or a test, can see it being copied. */
const SLOW_FILE_MS = 300;

const importing = (page: Page) => page.getByRole("heading", { name: "Records are being imported" });

/** A figure of the run's progress, with its label. */
const fact = (page: Page, label: string) => page.getByText(label, { exact: true }).locator("..");

const happened = (page: Page) => page.getByRole("region", { name: "What happened" });

/** Watches the analysis: its objects appear with their counts. Returns the path of the migration. */
async function watchAnalysis(page: Page, org: RunningOrg): Promise<string> {
  await analyzeSlowly(page, org);
  await expect(page.getByRole("heading", { name: "Reading your Salesforce org" })).toBeVisible();
  const objects = page.getByRole("table", { name: "Objects counted so far" });
  await expect(objects.getByRole("row").filter({ hasText: "Contact" }).first()).toContainText(/\d/);
  await expectSoundPage(page);
  await expectReadableColors(page);
  await hurry(org);
  await page.waitForURL(/\/report$/, { timeout: 120_000 });
  return new URL(page.url()).pathname.replace(/\/report$/, "");
}

test("an analysis is watched; its run outlives its tab, is paused here and resumed elsewhere, and brings all", async ({
  page,
  org,
  browser,
  session,
  baseURL,
}) => {
  const migration = await watchAnalysis(page, org);
  await slowDown(org);
  const elsewhere = await browser.newContext({ storageState: session, ...(baseURL && { baseURL }) });
  const other = await elsewhere.newPage();
  await other.goto(`${migration}/migrate`);
  await expect(other.getByRole("button", { name: "Start migration" })).toBeVisible();
  const tab = await page.context().newPage();
  await start(tab, migration);
  await expect(importing(tab)).toBeVisible();
  await expect(tab.getByRole("main")).toBeFocused();
  await tab.close();
  await page.goto(migration);
  await page.waitForURL(`${migration}/migrate`);
  await expect(importing(page)).toBeVisible();
  await page.getByRole("button", { name: "Pause" }).click();
  await expect(page.getByRole("heading", { name: "The import is paused" })).toBeVisible();
  await expect(page.locator("body")).not.toBeFocused();
  await expect(happened(page)).toContainText("Paused");
  await expectSoundPage(page);
  await expectReadableColors(page);

  // It stood there before the run began, and follows by itself.
  await expect(other.getByRole("heading", { name: "The import is paused" })).toBeVisible();
  await other.getByRole("button", { name: "Resume" }).click();
  await expect(importing(other)).toBeVisible();
  await expect(importing(page)).toBeVisible();
  await elsewhere.close();
  await expect(fact(page, "Speed")).toContainText(/\d per second$/);
  await expect(fact(page, "Time left")).toContainText(/\d (second|minute)s?$/);
  await expectSoundPage(page);
  await expectReadableColors(page);
  await hurry(org);
  await expectAccounted(page);
  await expect(happened(page)).toContainText("Resumed");

  // A second analysis counts the same records, and says that they are here.
  await analyzeOrg(page, org);
  const before = page.getByRole("alert").filter({ hasText: "This org was migrated before" });
  await expect(before).toContainText("imports nothing twice");
  await expectSoundPage(page);
  await expect(before.getByRole("link", { name: "Show that migration" })).toHaveAttribute("href", migration);
});

test("a run whose token expires pauses, goes on with a new one, and tells the files that it copies or not", async ({
  page,
  org,
}) => {
  const migration = await analyzeOrg(page, org);
  const data = { files: { copy: true, max_mb: 100 } };
  await page.request.put(`/api/v1${migration}/configuration`, { headers: originOf(page), data });
  await slowDown(org);
  await page.goto(`${migration}/migrate`);
  await expect(page.getByText(/^Then the files of the records are copied: about \d+ files/)).toBeVisible();
  await page.getByRole("button", { name: "Start migration" }).click();
  await expect(importing(page)).toBeVisible();
  await org.expireSessions();
  const paused = page.getByRole("alert").filter({ hasText: "The migration paused" });
  await expect(paused).toBeVisible({ timeout: 180_000 });
  await expectSoundPage(page);
  await expectReadableColors(page);
  await paused.getByRole("button", { name: "Give new access" }).click();
  const form = page.getByRole("dialog", { name: "Give new access" });
  await form.getByRole("textbox", { name: "New access token" }).fill("expired");
  await form.getByRole("button", { name: "Give new access" }).click();
  await expect(form.getByRole("alert")).toBeVisible();
  await expectSoundPage(page);
  await org.setRules([
    { preset: "NOT_FOUND", path: "/Body", times: 1 },
    { path: "/sobjects/", delayMs: SLOW_FILE_MS },
  ]);
  const token = `${org.accessToken}-new`;
  await fetch(`${org.instanceUrl}/__control/accept-token`, { method: "POST", body: JSON.stringify({ token }) });
  await form.getByRole("textbox", { name: "New access token" }).fill(token);
  await form.getByRole("button", { name: "Give new access" }).click();
  // The run goes on, so the page has no button left that opens the dialog.
  await expect(form).toContainText("Connected.");
  await expect(page.getByRole("button", { name: "Give new access" })).toHaveCount(0);
  await form.getByRole("button", { name: "Close", exact: true }).last().click();
  await expect(form).toHaveCount(0);
  await expect(page.getByRole("heading", { name: "Files are being copied" })).toBeVisible({ timeout: 120_000 });
  await expect(page.getByText(/^\d+ files? copied \([\d.]+ [kM]?B?(bytes)?\)/)).toBeVisible();
  await expectSoundPage(page);
  await hurry(org);
  await expectAccounted(page);
  await expect(happened(page)).toContainText("Connected again");
  const files = page.getByRole("region", { name: "Files", exact: true });
  await expect(files).toContainText(/\d+ files copied \(.*\), 1 failed/);
  await expect(files.getByRole("table", { name: "Files that were left out" }).getByRole("rowheader")).toHaveCount(1);
  await expectSoundPage(page);
  await expectFileOfRecord(page);
});

/** A copied file stands on the page of its record, and is downloaded under its name with all of its bytes. */
async function expectFileOfRecord(page: Page): Promise<void> {
  const listed = (await (await page.request.get("/api/v1/files?limit=200")).json()) as { data: CopiedFile[] };
  const file = listed.data.find(({ resource }) => ["accounts", "contacts", "cases"].includes(resource));
  if (!file) throw new Error("No record that has a page of its own has a file.");
  await page.goto(`/${file.resource}/${file.record_id}`);
  const link = page.getByRole("list", { name: "Files" }).getByRole("link", { name: file.name }).first();
  const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
  expect(download.suggestedFilename()).toBe(file.name);
  const content = await readFile(await download.path());
  expect(createHash("sha256").update(content).digest("hex")).toBe(file.sha256);
}

test("a migration in phases is run phase by phase, and says which are done @exhaustive", async ({ page, org }) => {
  const migration = await analyzeOrg(page, org);
  const later = ["Case", "CaseComment", "EmailMessage", "FeedItem", "FeedComment", "Task", "Event"];
  const data = { objects: Object.fromEntries(later.map((object) => [object, { phase: 2 }])) };
  await page.request.put(`/api/v1${migration}/configuration`, { headers: originOf(page), data });
  await page.goto(`${migration}/migrate`);
  const phases = page.locator("section").filter({ has: page.getByRole("heading", { name: "Phases" }) });
  await expect(phases).toContainText("Phase 1: Accounts and Contacts");
  await expect(phases.getByText("Not run yet")).toHaveCount(2);
  await expectSoundPage(page);
  await phases.getByRole("button", { name: "Run phase 1" }).click();
  await expectAccounted(page);
  await expect(phases.getByText("Done")).toHaveCount(1);
  await phases.getByRole("button", { name: "Run phase 2" }).click();
  await expectAccounted(page);
  await expect(phases.getByText("Done")).toHaveCount(2);
  await expectSoundPage(page);
});

test("a run whose worker is killed goes on with the next one @exhaustive", async ({ page, org, baseURL }) => {
  const migration = await analyzeOrg(page, org);
  await slowDown(org);
  await start(page, migration);
  await expect(page.getByText("importing", { exact: true }).first()).toBeVisible();
  // Any of them may have the run in hand.
  for (const pid of findWorkers(baseURL ?? "")) process.kill(pid, "SIGKILL");
  await hurry(org);
  await expectAccounted(page);
  await expect(happened(page)).toContainText("Went on after an interruption");
});

test("what failed is retried, a delta brings changes, a conflict is decided, and an undo keeps edits @phone", async ({
  page,
  org,
}) => {
  const [dated, contested] = await org.mutate(
    { op: "insert", object: "Account", fields: { Name: "Undated Pumps" } },
    { op: "insert", object: "Account", fields: { Name: "Contested Pumps" } },
  );
  if (!dated || !contested) throw new Error("The org has given no ids.");
  await org.mutate({ op: "update", object: "Account", id: dated, fields: { CreatedDate: "1200-01-01T00:00:00Z" } });
  const migration = await analyzeOrg(page, org);
  const path = `/api/v1${migration}`;
  const configuration = (await (await page.request.get(`${path}/configuration`)).json()) as object;
  const headers = originOf(page);
  await page.request.put(`${path}/configuration`, { headers, data: { ...configuration, repeat: "decide" } });
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

  const found = await page.request.get(`/api/v1/accounts?ext_id=${contested}`);
  const { data } = (await found.json()) as { data: { id: string; version: number }[] };
  await page.request.patch(`/api/v1/accounts/${data[0]?.id}`, { headers, data: { phone: "+49 711 1" } });
  await org.mutate(
    { op: "update", object: "Account", id: contested, fields: { Phone: "+49 711 2" }, at: justNow() },
    { op: "insert", object: "Account", fields: { Name: "Late Pumps" }, at: justNow() },
  );
  await page.getByRole("button", { name: "Bring up to date now" }).click();
  await expect(happened(page)).toContainText("Delta completed", { timeout: 120_000 });
  await expect(page.getByText("The last delta", { exact: true })).toBeVisible();
  const decision = page.getByRole("table", { name: "Both versions of Contested Pumps" });
  await expect(decision).toContainText("+49 711 1");
  await expect(decision).toContainText("+49 711 2");
  await page.getByLabel("Start a delta by itself").selectOption("Every 30 minutes");
  await page.getByRole("button", { name: "Schedule", exact: true }).click();
  await expect(page.getByText("A delta starts by itself every 30 minutes")).toBeVisible();
  await expectSoundPage(page);
  await page.getByRole("button", { name: "Stop the schedule" }).click();
  await expect(page.getByText("No delta starts by itself.")).toBeVisible();

  await page.getByRole("radiogroup", { name: "Take Phone of Contested Pumps from" }).getByText("Salesforce").click();
  await page.getByRole("button", { name: "Decide Contested Pumps" }).click();
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
  const undone = page.locator("section").filter({ has: page.getByRole("heading", { name: "What the undo did" }) });
  await expect(undone.getByText("Kept", { exact: true })).toBeVisible();
  const kept = page.getByRole("table", { name: "Records that were kept" });
  await expect(kept).toContainText("Somebody has edited this record here");
  await expect(kept.getByRole("link", { name: "Contested Pumps" })).toBeVisible();
  await expect(happened(page)).toContainText("Undone");
  await expect(page.getByRole("link", { name: "Analyze again" })).toBeVisible();
  await expectSoundPage(page);
});
