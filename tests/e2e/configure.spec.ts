import { readFileSync } from "node:fs";

import { expect, type Locator, type Page } from "@playwright/test";

import { openPart, readStored, saveElsewhere, type Stored } from "@/tests/e2e/support/configuration";
import { connectOrg } from "@/tests/e2e/support/connect-org";
import { pressOn, tabTo } from "@/tests/e2e/support/keyboard";
import { expectSoundListedPage } from "@/tests/e2e/support/listed-pages";
import { inOwnOrganization } from "@/tests/e2e/support/own-org";
import { expectReadableColors, expectSoundPage } from "@/tests/e2e/support/page-checks";
import { test } from "@/tests/e2e/support/signed-in";
import { closeOwner, pool } from "@/tests/support/owner";

async function saveChanges(page: Page): Promise<void> {
  const save = page.getByRole("button", { name: "Save changes" });
  await save.click();
  await expect(save).toHaveCount(0);
}

test("fields are found, mapped, merged with what somebody else has saved, and reset @phone", async ({ page }) => {
  const path = await openPart(page, "fields&object=Account");
  const { configuration: before } = await readStored(page, path);
  await saveElsewhere(page, path, { ...before, objects: {} });
  await page.reload();
  const table = page.getByRole("table", { name: "Fields of Accounts" });
  await page.getByLabel("Find a field of Accounts").fill("website");
  await expect(table.getByRole("rowheader")).toHaveCount(1);
  await expect(table.getByRole("listitem").first()).toContainText(/\w\.\w/);
  await expect(table).toContainText(/\d %/);
  await expect(table).toContainText("It means the same here.");
  await expectSoundListedPage(page, "migration-4-configure-fields");
  await page.getByLabel("Target of Website").selectOption("Leave out");
  await expect(table.getByText("Your choice")).toBeVisible();
  await expect(table.getByText("Not stored")).toBeVisible();
  await expect(page.getByText("1 change is not saved")).toBeVisible();

  await page.getByRole("link", { name: "Back to the report" }).click();
  const dialog = page.getByRole("dialog", { name: "Leave without saving?" });
  await dialog.getByRole("button", { name: "Stay here" }).click();
  await expect(dialog).toBeHidden();

  await saveElsewhere(page, path, { ...before, objects: { Account: { fields: { Fax: null } } } });
  await page.getByRole("button", { name: "Save changes" }).click();
  const notice = page.getByRole("alert").filter({ hasText: "Somebody has changed this configuration meanwhile" });
  await expect(notice).toContainText("Accounts: “Fax” goes to nowhere");
  await expectSoundPage(page);
  await notice.getByRole("button", { name: "Take over their changes" }).click();
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText("1 change is not saved")).toHaveCount(0);
  const { configuration: merged } = await readStored(page, path);
  expect(merged.objects.Account).toMatchObject({ fields: { Fax: null, Website: null } });

  await page.getByLabel("Find a field of Accounts").fill("");
  await page.getByLabel("Show", { exact: true }).selectOption("Changed by you");
  await expect(table.getByRole("rowheader")).toHaveCount(2);
  await page.getByRole("button", { name: "Reset to suggested" }).click();
  await expect(page.getByText("No field matches.")).toBeVisible();
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByRole("button", { name: "Save changes" })).toHaveCount(0);
  await saveElsewhere(page, path, before);
});

test("a value is chosen by keyboard alone, discarded, chosen again, and read back when it is saved", async ({
  page,
}) => {
  const path = await openPart(page, "values");
  const { configuration: before } = await readStored(page, path);
  await expect(page.getByRole("table", { name: "Values of Status of Cases" })).toBeVisible();
  await expectSoundListedPage(page, "migration-4-configure-values");
  const choice = page.getByLabel(/^Priority “High” becomes/).first();
  await tabTo(page, choice);
  await page.keyboard.press("ArrowDown");
  await expect(page.getByText("1 change is not saved")).toBeVisible();
  await pressOn(page, page.getByRole("button", { name: "Discard changes" }));
  await expect(page.getByText("1 change is not saved")).toHaveCount(0);
  const [other] = await choice.selectOption({ index: 1 });
  await saveChanges(page);
  await page.reload();
  await expect(choice).toHaveValue(other ?? "");
  await saveElsewhere(page, path, before);
});

test("the objects say what a run takes, and the address says where one is", async ({ page }) => {
  const path = await openPart(page, "objects");
  await expect(page.getByText("Left when the org was analyzed")).toBeVisible();
  await expect(page).toHaveTitle(/^Configure · .+ · /);
  await page.getByRole("checkbox", { name: "Cases", exact: true }).uncheck();
  await expect(page.getByText(/These records belong to cases, which you did not select/).first()).toBeVisible();
  await expectSoundListedPage(page, "migration-4-configure");
  await page.getByRole("button", { name: "Fields of Contacts" }).click();
  await expect(page).toHaveURL(`${path}/configure?part=fields&object=Contact`);
  await page.goBack();
  await expect(page.getByRole("checkbox", { name: "Cases", exact: true })).not.toBeChecked();
  await page.getByRole("button", { name: "Discard changes" }).click();
});

test("owners and links are counted in the org, and the choice of an owner is read back", async ({ page }) => {
  const path = await openPart(page, "owners");
  const { configuration: before } = await readStored(page, path);
  const owners = page.getByRole("table", { name: "Owners in Salesforce" });
  await expect(owners).toBeVisible({ timeout: 180_000 });
  await expect(page.getByLabel("Fallback owner")).toBeVisible();
  await expectSoundListedPage(page, "migration-4-configure-owners");
  await page.getByLabel("Find an owner").fill("nobody of this name");
  await expect(page.getByRole("status").filter({ hasText: /^0 owners$/ })).toHaveCount(1);
  await page.getByLabel("Find an owner").fill("");
  const choice = owners.getByRole("combobox").first();
  await choice.selectOption("Nobody");
  await saveChanges(page);
  await page.reload();
  await expect(choice).toHaveValue("nobody", { timeout: 180_000 });
  await saveElsewhere(page, path, before);
  await openPart(page, "links");
  await expect(page.getByRole("table", { name: "Links between records" })).toBeVisible({ timeout: 180_000 });
  await expectSoundListedPage(page, "migration-4-configure-links");
});

/** By this rule the sandbox org has many duplicates, all of whose whole names differ. */
const SAME_TITLE = { rules: [{ match: [{ fields: ["last_name"] }, { fields: ["title"] }] }] };

// What was imported is no duplicate any more, so this organization is new.
inOwnOrganization("a search shows the duplicates that a run would find, in their clusters", async ({ page, org }) => {
  inOwnOrganization.setTimeout(900_000);
  const path = await connectOrg(page, org);
  await page.goto(`${path}/configure?part=duplicates&object=Contact`);
  await page.getByRole("button", { name: "Use suggested rules" }).click();
  await expect(page.getByRole("heading", { name: "Contacts are the same if" })).toBeFocused();
  await expect(page.getByRole("button", { name: "Remove rule 1" })).toBeVisible();
  await page.getByRole("button", { name: "Discard changes" }).click();
  await expect(page.getByRole("button", { name: "Remove rule 1" })).toHaveCount(0);
  const { configuration } = await readStored(page, path);
  await saveElsewhere(page, path, { ...configuration, objects: { Contact: { duplicates: SAME_TITLE } } });
  await page.reload();
  await page.getByRole("button", { name: /^Search (for duplicates|again)$/ }).click();
  await expect(page.getByText(/[\d,]+ duplicates? in [\d,]+ clusters?, among [\d,]+ contacts/)).toBeVisible({
    timeout: 180_000,
  });
  await expect(page.getByRole("status").filter({ hasText: /^[\d,]+ duplicates? found$/ })).toHaveCount(1);
  const cluster = page.getByRole("list").filter({ hasText: "by rule 1" }).first();
  await expect(cluster.getByText("Stays", { exact: true })).toHaveCount(1);
  await expect(cluster).toContainText("Last name: ");
  await expectSoundListedPage(page, "migration-4-configure-duplicates");
  await expectReadableColors(page);
});

test("a preview shows records before and after @phone", async ({ page }) => {
  await openPart(page, "preview&object=Case");
  await page.getByLabel("Records", { exact: true }).selectOption("3");
  await page.getByRole("button", { name: "Preview", exact: true }).click();
  const table = page.getByRole("table", { name: /before and after$/ });
  await expect(table).toBeVisible({ timeout: 180_000 });
  await expect(table.getByRole("rowheader", { name: /Subject/ })).toBeVisible();
  await expect(page.getByText(/The preview took \d+ API requests/)).toBeVisible();
  await expect(page.getByRole("status").filter({ hasText: /^3 records previewed$/ })).toHaveCount(1);
  await expectSoundListedPage(page, "migration-4-configure-preview");
});

test("the configuration is exported, imported again, and checked", async ({ page }) => {
  const path = await openPart(page, "file");
  await expect(page.getByText("Every choice is possible")).toBeVisible();
  await expectSoundListedPage(page, "migration-4-configure-file");
  const downloading = page.waitForEvent("download");
  await page.getByRole("link", { name: "Export the configuration" }).click();
  const file = await (await downloading).path();
  expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ format: "crm-migration-configuration" });
  await page.locator("input[type=file]").setInputFiles({
    name: "configuration.json",
    mimeType: "application/json",
    buffer: readFileSync(file),
  });
  const question = page.getByRole("dialog", { name: "Replace the saved choices?" });
  await expect(question).toContainText("configuration.json holds the choices that are saved already");
  await question.getByRole("button", { name: "Replace the choices" }).click();
  await expect(page.getByText("The choices of the file are saved")).toBeVisible();
  await page.locator("input[type=file]").setInputFiles({
    name: "other.json",
    mimeType: "application/json",
    buffer: Buffer.from("no JSON"),
  });
  await expect(page.getByText("This is no exported configuration")).toBeVisible();
  // So that the same file can be chosen again.
  await expect(page.locator("input[type=file]")).toHaveValue("");
  await expectSoundPage(page);

  const other = JSON.parse(readFileSync(file, "utf8")) as Stored;
  const choices = { ...other.configuration, send_events: !other.configuration.send_events };
  await page.locator("input[type=file]").setInputFiles({
    name: "changed.json",
    mimeType: "application/json",
    buffer: Buffer.from(JSON.stringify({ ...other, configuration: choices })),
  });
  await expect(question).toContainText("Options: whether webhooks get events");
  await expectSoundPage(page);
  await saveElsewhere(page, path, { ...other.configuration, repeat: "decide" });
  await question.getByRole("button", { name: "Replace the choices" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "changed meanwhile" })).toBeVisible();
  await saveElsewhere(page, path, other.configuration);
});

const WIDE = 400;

/** How much longer than in a bare text field a key may take, which takes 16 to 24 ms there on a quiet machine. */
const MAX_RATIO = 4;

interface WideField {
  source: string;
  label: string;
  custom: boolean;
}

test(`the mapping of ${WIDE} fields answers keys about as fast as a bare text field @exhaustive`, async ({ page }) => {
  const id = (await openPart(page, "fields&object=Account")).split("/").at(-1);
  const { rows } = await pool().query<{ report: string }>("SELECT report::text FROM migrations WHERE id = $1", [id]);
  const [stored] = rows;
  if (!stored) throw new Error("The migration has no report.");
  const setReport = (report: string) => pool().query("UPDATE migrations SET report = $2 WHERE id = $1", [id, report]);
  await setReport(widened(stored.report));
  try {
    await page.reload();
    await typeIntoWide(page);
  } finally {
    await setReport(stored.report);
    await closeOwner();
  }
});

/** A report in which accounts have {@link WIDE} fields. */
function widened(text: string): string {
  const report = JSON.parse(text) as { inventory: { object: string; fields: WideField[] }[] };
  const account = report.inventory.find(({ object }) => object === "Account");
  const model = account?.fields.find(({ custom }) => custom);
  if (!account || !model) throw new Error("The report has no custom field of accounts.");
  account.fields = Array.from({ length: WIDE }, (_, index) => ({
    ...model,
    source: `Wide_${index}__c`,
    label: `Wide field ${index}`,
  }));
  return JSON.stringify(report);
}

async function typeIntoWide(page: Page): Promise<void> {
  await expect(page.getByText(`${WIDE} fields`).first()).toBeVisible();
  await page.evaluate(() => document.body.insertAdjacentHTML("beforeend", '<input aria-label="Bare" />'));
  await watchKeys(page);

  const floor = await typicalKey(page, page.getByLabel("Bare"));
  const typical = await typicalKey(page, page.getByLabel("Find a field of Accounts"));
  await page.keyboard.type("field 399");
  await expect(page.getByRole("table", { name: "Fields of Accounts" }).getByRole("rowheader")).toHaveCount(1);
  const description = `half of the keys in ${typical} ms, in a bare text field in ${floor} ms`;
  test.info().annotations.push({ type: "keys", description });
  expect(typical / floor, description).toBeLessThanOrEqual(MAX_RATIO);
}

interface Watched {
  keyTimes: number[];
}

/** Notes how long each key takes until its result is painted, in milliseconds (Event Timing API). */
async function watchKeys(page: Page): Promise<void> {
  await page.evaluate(() => {
    const found: number[] = [];
    Object.assign(window, { keyTimes: found });
    new PerformanceObserver((list) => {
      for (const { name, duration } of list.getEntries()) if (name === "keydown") found.push(duration);
    }).observe({ type: "event", durationThreshold: 16 } as PerformanceObserverInit);
  });
}

/** The median of the keys of some words that are typed and deleted again. */
async function typicalKey(page: Page, field: Locator): Promise<number> {
  await field.focus();
  await page.evaluate(() => void ((window as unknown as Watched).keyTimes.length = 0));
  for (const text of ["wide field 39", "Wide_1"]) {
    await page.keyboard.type(text, { delay: 120 });
    for (const _ of text) await page.keyboard.press("Backspace", { delay: 60 });
  }
  const times = await page.evaluate(() => (window as unknown as Watched).keyTimes);
  // Keys that are faster than the shortest time that is reported.
  return times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? 16;
}
