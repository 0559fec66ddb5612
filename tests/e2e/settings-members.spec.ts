import { randomBytes } from "node:crypto";

import { expect, type Locator, type Page } from "@playwright/test";

import { pressOn } from "@/tests/e2e/support/keyboard";
import { expectSoundListedPage } from "@/tests/e2e/support/listed-pages";
import { createMember, type Credentials } from "@/tests/e2e/support/member";
import { expectSoundPage } from "@/tests/e2e/support/page-checks";
import { signIn } from "@/tests/e2e/support/sign-in";
import { test } from "@/tests/e2e/support/signed-in";
import { test as signedOut } from "@/tests/e2e/support/watched";

const PATH = "/settings/members";
const NEW_PASSWORD = "cobalt harvest lantern 42";

const rowOf = (page: Page, email: string): Locator => page.getByRole("row").filter({ hasText: email });

/** Opens the menu of a member and chooses an entry. Returns the dialog. */
async function choose(page: Page, email: string, entry: string): Promise<Locator> {
  await rowOf(page, email)
    .getByRole("button", { name: /^Manage/ })
    .click();
  await page.getByRole("menuitem", { name: entry, exact: true }).click();
  return page.getByRole("dialog");
}

/** The one-time link in a dialog. */
async function linkIn(dialog: Locator): Promise<string> {
  const link = dialog.locator("code");
  await expect(link).toContainText("/set-password#");
  return link.innerText();
}

/** Opens another browser, in which nobody is signed in. */
async function openBrowser(page: Page): Promise<Page> {
  const { baseURL, viewport, colorScheme } = signedOut.info().project.use;
  const options = { baseURL, viewport, colorScheme, storageState: { cookies: [], origins: [] } };
  const context = await page.context().browser()?.newContext(options);
  if (!context) throw new Error("There is no browser.");
  return context.newPage();
}

async function openAs(page: Page, person: Credentials): Promise<Page> {
  const theirs = await openBrowser(page);
  await signIn(theirs, "/settings/account", person);
  return theirs;
}

/** Sets a password by a link, and expects the page to say so. */
async function setPassword(page: Page, link: string, password = NEW_PASSWORD): Promise<void> {
  await page.goto(link);
  await page.getByLabel("New password").fill(password);
  await page.getByRole("button", { name: "Set the password" }).click();
}

test("by keyboard, a member is added, sets a password by the link, once, and signs in", async ({ page }) => {
  const email = `new-${randomBytes(4).toString("hex")}@demo.example`;
  await page.goto(PATH);
  await pressOn(page, page.getByRole("button", { name: "Add a member" }));
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByLabel("Name")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(dialog.getByText("Enter a name.")).toBeVisible();
  await expect(dialog.getByLabel("Name")).toBeFocused();
  await page.keyboard.type("Nia Newcomer");
  await page.keyboard.press("Tab");
  await page.keyboard.type(email);
  await expectSoundPage(page);
  await page.keyboard.press("Enter");
  const link = await linkIn(dialog);
  await expectSoundPage(page);
  await page.keyboard.press("Escape");
  await expect(dialog).toBeVisible();
  await pressOn(page, dialog.getByRole("button", { name: "Done" }));
  await expect(rowOf(page, email)).toContainText("Invited");

  const theirs = await openBrowser(page);
  await theirs.goto(link);
  await expect(theirs.getByLabel("E-mail address")).toHaveValue(email);
  expect(new URL(theirs.url()).hash).toBe("");
  await expectSoundPage(theirs);
  await theirs.getByLabel("New password").fill("password1234");
  await theirs.keyboard.press("Enter");
  await expect(theirs.getByText("This password is easy to guess")).toBeVisible();
  await expectSoundPage(theirs);
  await theirs.getByLabel("New password").fill(NEW_PASSWORD);
  await theirs.keyboard.press("Enter");
  await expect(theirs.getByRole("heading", { name: "Your password is set" })).toBeFocused();
  await expectSoundPage(theirs);
  await theirs.getByRole("link", { name: "Sign in" }).click();
  await expect(theirs.getByLabel("E-mail address")).toHaveValue(email);
  await signIn(theirs, "/settings/account", { email, password: NEW_PASSWORD });
  await theirs.goto("about:blank");
  await theirs.goto(link);
  await expect(theirs.getByRole("alert").filter({ hasText: "link" })).toContainText("This link does not work");
  await expectSoundPage(theirs);
  const asked: string[] = [];
  theirs.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await theirs.goto("/set-password");
  await expect(theirs.getByRole("alert").filter({ hasText: "link" })).toContainText(
    "The part of the link after # is missing",
  );
  expect(asked).not.toContain("/api/auth/password-link");
  await expectSoundPage(theirs);
  await theirs.context().close();
});

test("an admin promotes, disables, enables and removes a member, who is signed out at once @phone", async ({
  page,
}) => {
  const member = await createMember();
  await page.goto(PATH);
  const theirs = await openAs(page, member);
  await page.reload();
  await expect(rowOf(page, member.email)).toContainText("1 browser");

  await expect(await choose(page, member.email, "Make an admin")).toContainText(
    "Admins manage the organization, members",
  );
  await page.getByRole("dialog").getByRole("button", { name: "Make an admin" }).click();
  await expect(rowOf(page, member.email)).toContainText("Admin");

  const disabling = await choose(page, member.email, "Disable");
  await expect(disabling).toContainText("1 browser of theirs is signed out with the next request.");
  await expect(disabling.getByRole("button", { name: "Cancel" })).toBeFocused();
  await expect(disabling.getByRole("link", { name: "Opportunities" })).toHaveAttribute(
    "href",
    /\?owner_id=[-0-9a-f]+$/,
  );
  await expectSoundPage(page);
  await disabling.getByRole("button", { name: "Disable" }).click();
  await expect(rowOf(page, member.email)).toContainText("Disabled");
  await theirs.goto("/accounts");
  await expect(theirs).toHaveURL(/\/sign-in/);

  await (await choose(page, member.email, "Enable")).getByRole("button", { name: "Enable" }).click();
  await expect(rowOf(page, member.email)).toContainText("Active");
  await signIn(theirs, "/settings/account", member);
  const removing = await choose(page, member.email, "Remove");
  await expectSoundPage(page);
  await removing.getByRole("button", { name: "Remove" }).click();
  await expect(rowOf(page, member.email)).toHaveCount(0);
  await expect(page.getByRole("main")).toBeFocused();
  await theirs.goto("/accounts");
  await expect(theirs).toHaveURL(/\/sign-in/);
  await theirs.context().close();
  await expectSoundListedPage(page, "settings-members");
});

test("the only admin cannot step down, and is told why", async ({ page }) => {
  await page.goto(PATH);
  await page
    .getByRole("row")
    .filter({ hasText: "(you)" })
    .getByRole("button", { name: /^Manage/ })
    .click();
  await expect(page.getByRole("menuitem")).toHaveText(["Step down as admin"]);
  await page.getByRole("menuitem").click();
  await page.getByRole("dialog").getByRole("button", { name: "Step down as admin" }).click();
  const alert = page.getByRole("dialog").getByRole("alert");
  await expect(alert).toContainText("Make somebody else an admin first");
  await expect(alert).toBeFocused();
});

test("a forgotten password is reset by a link, which signs the person out everywhere", async ({ page }) => {
  const member = await createMember();
  await page.goto(PATH);
  const theirs = await openAs(page, member);
  const dialog = await choose(page, member.email, "Reset the password");
  await expect(dialog).toContainText("It works once, within 24 hours.");
  await dialog.getByRole("button", { name: "Make a link" }).click();
  const link = await linkIn(dialog);
  const elsewhere = await openBrowser(page);
  await setPassword(elsewhere, link);
  await expect(elsewhere.getByRole("heading", { name: "Your password is set" })).toBeVisible();
  await theirs.goto("/accounts");
  await expect(theirs).toHaveURL(/\/sign-in/);
  await signIn(theirs, "/settings/account", { ...member, password: NEW_PASSWORD });
  await Promise.all([theirs, elsewhere].map((each) => each.context().close()));
});

signedOut("a member changes the password, and signs out one other browser and then all", async ({ page }) => {
  const member = await createMember();
  await signIn(page, "/settings/account", member);
  const [second, third] = [await openAs(page, member), await openAs(page, member)];
  await page.reload();
  const sessions = page.getByRole("table", { name: "Where you are signed in" });
  await expect(sessions.getByRole("row")).toHaveCount(4);
  await expect(sessions.getByText("This browser")).toHaveCount(1);
  await expectSoundPage(page);

  await sessions
    .getByRole("button", { name: /^Sign out/ })
    .first()
    .click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("button", { name: "Cancel" })).toBeFocused();
  await expectSoundPage(page);
  await dialog.getByRole("button", { name: "Sign out" }).click();
  await expect(sessions.getByRole("row")).toHaveCount(3);
  await third.goto("/accounts");
  await expect(third).toHaveURL(/\/sign-in/);

  await page.getByLabel("Current password", { exact: true }).fill("not this one at all");
  await page.getByLabel("New password").fill(NEW_PASSWORD);
  await page.getByRole("button", { name: "Change the password" }).click();
  await expect(page.getByText("This is not your current password.")).toBeVisible();
  await expect(page.getByLabel("Current password", { exact: true })).toBeFocused();
  await expectSoundPage(page);
  await page.getByLabel("Current password", { exact: true }).fill(member.password);
  await page.getByRole("button", { name: "Change the password" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "1 other browser is signed out." })).toBeVisible();
  await expect(sessions.getByRole("row")).toHaveCount(2);
  await second.goto("/accounts");
  await expect(second).toHaveURL(/\/sign-in/);

  await signIn(second, "/accounts", { ...member, password: NEW_PASSWORD });
  await page.reload();
  await page.getByRole("button", { name: "Sign out all others" }).click();
  await expect(dialog).toContainText("Every browser but this one is signed out");
  await dialog.getByRole("button", { name: "Sign out all others" }).click();
  await expect(page.getByText("1 browser is signed out.")).toBeVisible();
  await expect(sessions.getByRole("row")).toHaveCount(2);
  await second.goto("/accounts");
  await expect(second).toHaveURL(/\/sign-in/);
  await page.goto("/accounts");
  await expect(page).toHaveURL(/\/accounts$/);
  await Promise.all([second, third].map((each) => each.context().close()));
});
