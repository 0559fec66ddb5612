import { expect, type Page } from "@playwright/test";

import { readDemo } from "@/tests/e2e/support/demo";
import { expectSoundPage } from "@/tests/e2e/support/page-checks";
import { enterPassword } from "@/tests/e2e/support/sign-in";
import { test } from "@/tests/e2e/support/signed-in";
import { isTried } from "@/tests/support/exhaustive";

/** Creates a record by the API, as another tab would. Returns its path. */
async function create(page: Page, resource: string, fields: object): Promise<string> {
  const id = await page.evaluate(
    async ([path, body]) => {
      const headers = { "content-type": "application/json" };
      const answer = await fetch(`/api/v1/${path}`, { method: "POST", headers, body });
      return ((await answer.json()) as { id: string }).id;
    },
    [resource, JSON.stringify(fields)] as const,
  );
  return `/${resource}/${id}`;
}

/** Changes a record by the API, as somebody else would. */
async function changeElsewhere(page: Page, path: string, fields: object): Promise<void> {
  const status = await page.evaluate(
    async ([target, body]) => {
      const headers = { "content-type": "application/json" };
      return (await fetch(`/api/v1${target}`, { method: "PATCH", headers, body })).status;
    },
    [path, JSON.stringify(fields)] as const,
  );
  expect(status).toBe(200);
}

test("a record is created, changed, deleted and restored @phone", async ({ page }) => {
  await page.goto("/accounts");
  await page.getByRole("link", { name: "New account" }).click();
  await expect(page.getByRole("heading", { name: "New account" })).toBeVisible();
  await expectSoundPage(page);
  await page.getByRole("button", { name: "Create the account" }).click();
  await expect(page.getByRole("textbox", { name: "Name" })).toHaveAttribute("aria-invalid", "true");
  await expect(page.getByRole("textbox", { name: "Name" })).toBeFocused();
  await page.getByRole("textbox", { name: "Name" }).fill("Zephyr Turbines");
  await page.getByLabel("Annual revenue").fill("12,500.50");
  await page.getByRole("button", { name: "Create the account" }).click();
  await expect(page.getByRole("heading", { name: "Zephyr Turbines" })).toBeVisible();
  const account = new URL(page.url()).pathname;
  await expect(page).toHaveTitle(/^Zephyr Turbines · Account · /);

  await page.getByRole("link", { name: "New contact" }).click();
  await expect(page.getByRole("combobox", { name: "Account" })).toHaveValue("Zephyr Turbines");
  await page.getByRole("textbox", { name: "Last name" }).fill("Windmüller");
  await page.getByRole("button", { name: "Create the contact" }).click();
  await expect(page.getByRole("heading", { name: "Windmüller" })).toBeVisible();

  await page.goBack();
  await page.waitForURL(account);
  const contacts = page.getByRole("region", { name: "Contacts" });
  await expect(contacts.getByRole("link", { name: "Windmüller" })).toBeVisible();
  // An empty one that were taken out of its row would move the others under other titles.
  const titles = await contacts.getByRole("columnheader").count();
  await expect(contacts.getByRole("cell")).toHaveCount(titles - 1);
  await expectSoundPage(page);
  await page.getByRole("link", { name: "Edit", exact: true }).click();
  await expect(page.getByRole("button", { name: "Save changes" })).toBeDisabled();
  await page.getByRole("textbox", { name: "Name" }).fill("Zephyr Wind");
  await page.getByLabel("Website").fill("https://zephyr.example");
  await page.getByLabel("Annual revenue").fill("");
  await expectSoundPage(page);
  await page.getByRole("button", { name: "Save changes" }).click();
  await page.waitForURL(account);
  const website = page.getByRole("link", { name: "https://zephyr.example (in a new tab)" });
  await expect(website).toHaveAttribute("href", "https://zephyr.example/");
  await expect(page).toHaveTitle(/^Zephyr Wind · Account · /);
  await expectSoundPage(page);
  // The page is in the history once, and the form not at all.
  await page.goBack();
  await page.waitForURL("/accounts");
  await page.goForward();
  await page.waitForURL(account);
  await page.getByRole("link", { name: "Edit", exact: true }).click();
  await page.getByLabel("Website").fill("https://zephyr.test");
  await page.getByRole("link", { name: "Cancel" }).click();
  await page.waitForURL(account);
  await page.goBack();
  await page.waitForURL("/accounts");
  await page.goForward();
  await page.waitForURL(account);
  await expect(website).toBeVisible();
  const ofAccount = `?account_id=${account.replace("/accounts/", "")}`;
  await page.goto(`/contacts${ofAccount}`);
  await page.getByRole("link", { name: "New contact" }).click();
  await expect(page.getByRole("combobox", { name: "Account" })).toHaveValue("Zephyr Wind");
  await page.getByRole("link", { name: "Cancel" }).dblclick();
  await page.waitForURL(({ pathname, search }) => pathname + search === `/contacts${ofAccount}`);
  await page.goto(account);

  await page.getByRole("button", { name: "Delete" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete this account?" });
  await expect(dialog).toContainText("1 contact stays, without the link to it");
  await expect(dialog.getByRole("button", { name: "Keep it" })).toBeFocused();
  await dialog.getByRole("button", { name: "Delete it" }).click();
  await page.waitForURL("/accounts");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("Account restored")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Zephyr Wind" })).toBeVisible();
  await expect(page.getByRole("region", { name: "Contacts" }).getByRole("link", { name: "Windmüller" })).toBeVisible();
  await expect(page.getByRole("main")).toBeFocused();
});

test("a record that another tab deletes says so while it is edited, and is restored from its page", async ({
  page,
}) => {
  await page.goto("/accounts");
  const path = await create(page, "accounts", { name: "Gone Ltd" });
  await page.goto(`${path}/edit`);
  await page.getByLabel("Phone").fill("222");
  const status = await page.evaluate(async (to) => (await fetch(`/api/v1${to}`, { method: "DELETE" })).status, path);
  expect(status).toBe(200);
  await page.getByRole("button", { name: "Save changes" }).click();
  const gone = page.getByRole("alert").filter({ hasText: "This account was deleted" });
  await expect(gone).toContainText("It can be restored until");
  await expect(page.getByLabel("Phone")).toHaveValue("222");
  await expectSoundPage(page);

  await page.getByRole("link", { name: "Cancel" }).click();
  await page.waitForURL(path);
  await expect(gone).toContainText(", by ");
  await expectSoundPage(page);
  await gone.getByRole("button", { name: "Restore it" }).click();
  await expect(page.getByRole("heading", { name: "Gone Ltd" })).toBeVisible();
  await expect(gone).toHaveCount(0);
  await page.goto(path.replace(/.{4}$/, "0000"));
  await expect(page.getByRole("alert").filter({ hasText: "Not found" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Restore it" })).toHaveCount(0);
});

test("a session that ends while a form is open is begun again in another tab, and nothing typed is lost", async ({
  page,
}) => {
  await page.goto("/accounts");
  const path = await create(page, "accounts", { name: "Patient Ltd" });
  await page.goto(`${path}/edit`);
  await page.getByLabel("Phone").fill("222");
  await page.context().clearCookies();
  await page.getByRole("button", { name: "Save changes" }).click();
  const ended = page.getByRole("alert").filter({ hasText: "Your session has ended" });
  await expect(ended).not.toContainText("token");
  const link = ended.getByRole("link", { name: "Sign in again" });
  await expect(link).toHaveAttribute("href", `/sign-in?next=${encodeURIComponent(`${path}/edit`)}`);
  await expect(link).toHaveAttribute("target", "_blank");
  const opened = page.waitForEvent("popup");
  await link.click();
  const other = await opened;
  await enterPassword(other, readDemo().admin);
  await other.waitForURL(`${path}/edit`);
  await page.getByRole("button", { name: "Save changes" }).click();
  await page.waitForURL(path);
  await expect(page.getByText("222", { exact: true })).toBeVisible();
});

interface Kind {
  resource: string;
  singular: string;
  /** Labels of fields and what is entered; the first one is the name of the record. */
  created: Record<string, string>;
  changed: Record<string, string>;
}

/** Those whose forms no other test sends. */
const KINDS: readonly Kind[] = [
  { resource: "contacts", singular: "contact", created: { "Last name": "Ringer" }, changed: { Title: "Engineer" } },
  { resource: "cases", singular: "case", created: { Subject: "It drips" }, changed: { Priority: "High" } },
  { resource: "leads", singular: "lead", created: { "Last name": "Newman" }, changed: { Company: "Drips Ltd" } },
  {
    resource: "opportunities",
    singular: "opportunity",
    created: { Name: "Six seals", Stage: "Proposal", "Close date": "2030-01-31", Amount: "1200.50" },
    changed: { "Next step": "Send the offer" },
  },
  { resource: "products", singular: "product", created: { Name: "Seal 7" }, changed: { Family: "Seals" } },
  {
    resource: "activities",
    singular: "activity",
    created: { Subject: "Asked about seals", Type: "Call" },
    changed: { Description: "Wants six" },
  },
];

/** Fills in fields of a form, by their labels. */
async function enter(page: Page, values: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, value] of Object.entries(values)) {
    const input = page.getByLabel(new RegExp(`^${label}( \\*)?$`));
    const isChoice = await input.evaluate((element) => element instanceof HTMLSelectElement);
    await (isChoice ? input.selectOption(value) : input.fill(value));
  }
}

test("a record of each other kind is created, changed and deleted by its form", async ({ page }) => {
  const missed: string[] = [];
  page.on("response", (response) => void (response.status() === 404 && missed.push(response.url())));
  for (const { resource, singular, created, changed } of KINDS.filter(isTried)) {
    await test.step(resource, async () => {
      await page.goto(`/${resource}/new`);
      await enter(page, created);
      await page.getByRole("button", { name: `Create the ${singular}` }).click();
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(Object.values(created)[0] ?? "");
      await page.getByRole("link", { name: "Edit", exact: true }).click();
      await enter(page, changed);
      await page.getByRole("button", { name: "Save changes" }).click();
      await page.waitForURL(new RegExp(`/${resource}/[-0-9a-f]{36}$`));
      await expect(page.getByRole("definition").filter({ hasText: Object.values(changed)[0] })).toBeVisible();
      await page.getByRole("button", { name: "Delete", exact: true }).click();
      await page.getByRole("button", { name: "Delete it" }).click();
      await page.waitForURL(`/${resource}`);
      await expect(page.getByRole("alert").filter({ hasText: "can be restored until" }).first()).toBeVisible();
    });
  }
  expect(missed, "what is asked of a record that is gone").toEqual([]);
});

test("what others change meanwhile is taken over, and a contested field is chosen", async ({ page }) => {
  await page.goto("/accounts");
  const path = await create(page, "accounts", { name: "Contested Ltd", phone: "111" });
  await page.goto(`${path}/edit`);
  await page.getByLabel("Phone").fill("222");
  await page.getByLabel("Website").fill("https://mine.example");
  await changeElsewhere(page, path, { phone: "333", industry: "Pumps" });
  await page.getByRole("button", { name: "Save changes" }).click();
  const conflict = page.getByRole("alert").filter({ hasText: "was changed meanwhile" });
  await expect(conflict).toBeFocused();
  await expect(conflict).toContainText("Taken over from the other change: Industry.");
  await expect(page.getByLabel("Industry")).toHaveValue("Pumps");
  await expectSoundPage(page);
  await conflict.getByRole("radio", { name: "Theirs: 333" }).check();
  await expect(page.getByRole("textbox", { name: "Phone" })).toHaveValue("333");
  await page.getByRole("button", { name: "Save changes" }).click();
  await page.waitForURL(path);
  const fields = page.getByRole("definition");
  for (const value of ["333", "Pumps", "https://mine.example"])
    await expect(fields.filter({ hasText: new RegExp(`^${value} ?$`) })).toBeVisible();
});

test("a case is answered, and a call is logged on it @phone", async ({ page }) => {
  await page.goto("/cases");
  await page.goto(await create(page, "cases", { subject: "The valve sticks" }));
  await page.getByRole("textbox", { name: "Comment" }).fill("Have you tried oil?");
  await page.getByRole("radio", { name: "Public" }).check();
  const add = page.getByRole("button", { name: "Add the comment" });
  await add.click();
  const entry = page.getByRole("region", { name: "Thread" }).getByRole("listitem");
  await expect(entry).toContainText("Have you tried oil?");
  await expect(entry).toContainText(/^Demo Admin/);
  await expect(add).toBeDisabled();
  await expect(add).toBeFocused();
  await page.getByRole("button", { name: "Log an activity" }).click();
  await expect(page.getByRole("combobox", { name: "Type" })).toBeFocused();
  await expectSoundPage(page);
  await page.getByLabel("Subject").fill("Called back");
  await page.getByLabel("When").focus();
  await page.keyboard.type("12052020");
  await page.getByRole("button", { name: "Log it" }).click();
  await expect(page.getByText("Complete the date and the time.")).toBeVisible();
  await expect(page.getByLabel("When")).toBeFocused();
  await page.getByLabel("When").fill("2020-12-05T10:30");
  const { promise: isSeen, resolve: answer } = Promise.withResolvers<void>();
  await page.route("**/api/v1/activities", async (route) => {
    await isSeen;
    await route.continue();
  });
  await page.getByRole("button", { name: "Log it" }).click();
  await expect(page.getByLabel("Subject")).toBeDisabled();
  await expect(page.getByRole("button", { name: "Cancel" })).toBeDisabled();
  answer();
  await expect(page.getByRole("region", { name: "Timeline" }).getByRole("link", { name: "Called back" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Log an activity" })).toBeFocused();
  await expectSoundPage(page);
});
