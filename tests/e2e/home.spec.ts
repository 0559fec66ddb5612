import { expect, type Page } from "@playwright/test";

import type { Migration } from "@/lib/migration/migration-schema";
import type { Webhook } from "@/lib/webhooks/endpoints/webhook-schema";
import { expectSoundListedPage } from "@/tests/e2e/support/listed-pages";
import { expectSoundPage } from "@/tests/e2e/support/page-checks";
import { test } from "@/tests/e2e/support/signed-in";
import { send } from "@/tests/e2e/support/webhook-pages";

test("the start page counts the records and tells of a change", async ({ page }) => {
  const name = `Neckarwerk ${crypto.randomUUID()}`;
  await page.goto("/accounts/new");
  await page.getByRole("textbox", { name: "Name" }).fill(name);
  await page.getByRole("button", { name: "Create the account" }).click();
  await expect(page.getByRole("heading", { name })).toBeVisible();

  await page.goto("/");
  const accounts = page.getByRole("list", { name: "Records" }).getByRole("link", { name: /^[1-9][\d,]* Accounts?$/ });
  await expect(accounts).toBeVisible();
  await expectSoundListedPage(page, "home");
  const change = page.getByRole("listitem").filter({ hasText: name });
  await expect(change).toContainText("Account created");
  await change.getByRole("link", { name }).click();
  await expect(page.getByRole("heading", { name })).toBeVisible();
});

test("a task that is planned on a record is on its owner's start page", async ({ page }) => {
  await page.goto("/cases");
  const { id } = await send(page, "POST", "/cases", { subject: "The valve sticks" });
  await page.goto(`/cases/${id}`);
  const subject = `Call again ${crypto.randomUUID()}`;
  await page.getByRole("button", { name: "Log an activity" }).click();
  await page.getByRole("combobox", { name: "Type" }).selectOption("Task");
  await page.getByLabel("Subject").fill(subject);
  await page.getByLabel("Due").fill("2020-01-02");
  await page.getByRole("button", { name: "Log it" }).click();
  await expect(page.getByRole("region", { name: "Timeline" })).toContainText("due Jan 2, 2020");
  await page.goto("/");
  const task = page.getByRole("listitem").filter({ hasText: "Overdue since Jan 2, 2020" });
  const link = task.getByRole("link", { name: subject });
  await expect(link).toBeVisible();
  const href = (await link.getAttribute("href")) ?? "";
  const cases = page.locator("section", { hasText: "My open cases" });
  await expect(cases.getByRole("link", { name: "The valve sticks" }).first()).toBeVisible();
  await page.getByRole("link", { name: /^All of them.*my open tasks$/ }).click();
  await expect(page.getByRole("button", { name: "Remove the filter Owner" })).toBeVisible();
  await expect(page.getByRole("link", { name: subject })).toBeVisible();
  // The page shows the first tasks alone: of a demo that is used again, those of earlier times would fill it.
  await send(page, "DELETE", href);
});

const RUNNING: Partial<Migration> = {
  migration_id: "01890000-0000-7000-8000-000000000001",
  status: "running",
  org_name: "Neckar Pumpen GmbH",
  ext_instance_url: "https://neckar.my.salesforce.com",
  finished_at: null,
  objects: [
    {
      object: "Account",
      resource: "accounts",
      status: "running",
      expected: 1200,
      source: null,
      created: 200,
      updated: 50,
      unchanged: 40,
      skipped: 7,
      failed: 3,
      deleted: 0,
      api: "rest",
      api_reason: null,
      read_in_run: null,
      reconciled: false,
      choices_changed: false,
    },
  ],
};

const FAILING: Partial<Webhook> = {
  id: "01890000-0000-7000-8000-000000000002",
  url: "https://example.com/hooks",
  description: "Warehouse",
  active: true,
  failing_since: new Date(Date.now() - 3 * 3_600_000).toISOString(),
  failed_deliveries: 2,
};

/** The page comes with what the server has read. Whoever returns to it later asks again. */
async function returnLater(page: Page): Promise<void> {
  await page.clock.fastForward("01:00");
  await page.evaluate(() => window.dispatchEvent(new Event("visibilitychange")));
}

/** Lets a list of the API consist of these. */
async function listOnly(page: Page, path: string, data: readonly object[]): Promise<void> {
  await page.route(
    (url) => url.pathname === `/api/v1/${path}`,
    async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...((await response.json()) as object), data } });
    },
  );
}

test("a running migration shows how far it is, and a failing webhook since when it fails", async ({ page }) => {
  await listOnly(page, "migration", [RUNNING]);
  await listOnly(page, "webhooks", [FAILING]);
  await page.clock.install();
  await page.goto("/");
  await returnLater(page);
  const migration = page.getByRole("listitem").filter({ hasText: "Neckar Pumpen GmbH" });
  await expect(migration.getByRole("link")).toHaveAttribute("href", `/migration/${RUNNING.migration_id}`);
  await expect(migration).toContainText("300 of 1,200 records");
  await expect(migration.getByRole("progressbar", { name: "Records done" })).toHaveAttribute("aria-valuenow", "25");
  const webhook = page.getByRole("listitem").filter({ hasText: "Warehouse" });
  await expect(webhook).toContainText("Failing for 3 hours");
  await expect(webhook.getByRole("link")).toHaveAttribute("href", `/settings/webhooks/${FAILING.id}`);
  await expectSoundPage(page);
});

test("an organization without records reads what to do first", async ({ page }) => {
  const data = ["accounts", "contacts"].map((resource) => ({ resource, records: 0 }));
  await page.route("**/record_counts", (route) => route.fulfill({ json: { data } }));
  await page.goto("/");
  await expect(page.getByRole("link", { name: "Connect a Salesforce org" })).toHaveAttribute("href", "/migration/new");
  await expect(page.getByRole("link", { name: "Add members" })).toBeVisible();
  await expectSoundPage(page);
});

test("counts that cannot be read are explained, and can be requested again", async ({ page }) => {
  const problem = { title: "Unavailable", status: 503, code: "unavailable", detail: "The database does not answer." };
  await page.route("**/record_counts", (route) => route.fulfill({ status: 503, json: problem }));
  await page.goto("/");
  const alert = page.getByRole("alert").filter({ hasText: "The database does not answer" });
  await expect(alert).toBeVisible();
  await page.unroute("**/record_counts");
  await alert.getByRole("button", { name: "Try again" }).click();
  await expect(alert).toHaveCount(0);
});
