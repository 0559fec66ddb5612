import { expect, type Page } from "@playwright/test";

import { obtainAccessToken } from "@/scripts/demo/obtain-access-token";
import { readDemo } from "@/tests/e2e/support/demo";
import { pressOn, tabTo, typeInto } from "@/tests/e2e/support/keyboard";
import { expectSoundListedPage } from "@/tests/e2e/support/listed-pages";
import { expectSoundPage } from "@/tests/e2e/support/page-checks";
import { test } from "@/tests/e2e/support/signed-in";

const PATH = "/settings/api";
const REDIRECT_URI = "https://client.example/callback";
const CLIENTS = "**/api/v1/settings/clients";

const client = (page: Page, name: string) => page.getByRole("link", { name, exact: true });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const field = (page: Page, name: string | RegExp) => page.getByRole("textbox", { name });

/** Registers a client, as another open page of the admin would. */
async function createClient(page: Page, name: string) {
  const headers = { origin: readDemo().base_url };
  const data = { name, redirect_uris: [REDIRECT_URI], scopes: ["crm:read"] };
  const answer = await page.request.post("/api/v1/settings/clients", { data, headers });
  expect(answer.status()).toBe(201);
  return (await answer.json()) as { id: string; client_id: string; client_secret: string };
}

test("by keyboard, an admin registers a client, copies and rotates its secret, changes and revokes it", async ({
  page,
  context,
}, info) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  const name = `Warehouse ${info.project.name}`;
  await page.goto(PATH);
  await expectSoundListedPage(page, "settings-api");

  await pressOn(page, page.getByRole("link", { name: "Create client" }));
  await expect(page.getByRole("heading", { name: "Create an API client" })).toBeVisible();
  await expectSoundListedPage(page, "settings-api-new");
  await typeInto(page, field(page, "Redirect URI 1"), "http://warehouse.example/callback");
  await pressOn(page, button(page, "Add a redirect URI"));
  await expect(field(page, "Redirect URI 2")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(field(page, "Name")).toBeFocused();
  await expect(field(page, "Name")).toHaveAccessibleDescription(/Enter a name\./);
  await expect(field(page, "Redirect URI 1")).toHaveAccessibleDescription(/begins with https:\/\//);
  await expect(field(page, "Redirect URI 2")).toHaveAccessibleDescription(/not a complete URI/);
  await expectSoundPage(page);

  await typeInto(page, field(page, "Name"), name);
  await typeInto(page, field(page, "Redirect URI 1"), "https://warehouse.example/callback");
  await pressOn(page, button(page, "Remove redirect URI 2"));
  await expect(field(page, "Redirect URI 1")).toBeFocused();
  await pressOn(page, page.getByRole("checkbox", { name: "Read and change records crm:write" }), "Space");
  await expect(page.getByRole("checkbox", { name: /crm:read$/ })).toBeChecked();
  await expect(page.getByText("Included in crm:write.")).toBeVisible();
  await pressOn(page, button(page, "Create client"));

  const notice = page.getByRole("alert").filter({ hasText: "This is the only time it is shown" });
  await expect(notice).toBeFocused();
  await expectSoundPage(page);
  await pressOn(page, button(page, "Copy the client secret"));
  await expect(page.getByText("Copied the client secret.")).toBeAttached();
  const secret = await copied();
  expect(secret).toMatch(/^crm_secret_[\w-]{43}$/);
  await expect(notice).toContainText(secret);
  await pressOn(page, button(page, "Copy the client_id"));
  await expect.poll(copied).toMatch(/^crm_[0-9a-f]{24}$/);
  const clientId = await copied();
  await tabTo(page, page.getByRole("tab", { name: "bash and curl" }));
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("tabpanel", { name: "Node" })).toContainText(secret);
  await expectSoundPage(page);
  await pressOn(page, page.getByRole("link", { name: "Done" }));

  const row = page.getByRole("row").filter({ hasText: name });
  for (const text of [clientId, "Read and change records", "crm:write", "https://warehouse.example/callback", "never"])
    await expect(row).toContainText(text);
  await pressOn(page, button(page, `Copy the client_id of ${name}`));
  await pressOn(page, client(page, name));
  await expect(page.getByRole("heading", { name, level: 1 })).toBeVisible();
  await expect(page.getByText(secret)).toHaveCount(0);
  await expectSoundListedPage(page, "settings-api-client");

  const renamed = `${name} sync`;
  await typeInto(page, field(page, "Name"), renamed);
  await pressOn(page, button(page, "Add a redirect URI"));
  await page.keyboard.type("http://localhost:8080/callback");
  await expect(page.getByText("codes that are on their way to it no longer work")).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: renamed, level: 1 })).toBeVisible();
  await expect(page.getByText("Saved.")).toBeAttached();
  await page.reload();
  await expect(field(page, "Redirect URI 2")).toHaveValue("http://localhost:8080/callback");

  const rotate = button(page, "Rotate the secret");
  await pressOn(page, rotate);
  await expect(page.getByRole("radio", { name: "24 hours" })).toBeFocused();
  await expectSoundPage(page);
  await page.keyboard.press("Escape");
  await expect(rotate).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("radio", { name: "24 hours" })).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("radio", { name: "7 days" })).toBeChecked();
  await pressOn(page, button(page, "Make a new secret"));
  await expect(notice).toBeFocused();
  await expectSoundPage(page);
  await page.keyboard.press("Escape");
  await pressOn(page, button(page, "Copy the client secret"));
  await expect.poll(copied).toMatch(/^crm_secret_/);
  expect(await copied()).not.toBe(secret);
  await pressOn(page, button(page, "Done"));
  await expect(rotate).toBeFocused();

  const old = page.getByRole("listitem").filter({ hasText: "Old secret" });
  await expect(old).toContainText("works until");
  await pressOn(page, old.getByRole("button", { name: "End it now" }));
  await expect(button(page, "Keep it")).toBeFocused();
  await expectSoundPage(page);
  await pressOn(page, button(page, "End the old secret"));
  await expect(old).toHaveCount(0);
  await expect(page.getByRole("main")).toBeFocused();

  await pressOn(page, button(page, "Revoke the client"));
  const confirm = field(page, `Type ${renamed} to confirm`);
  await expect(confirm).toBeFocused();
  await page.keyboard.type("another");
  await page.keyboard.press("Enter");
  await expect(confirm).toHaveAccessibleDescription(/not the client's name/);
  await expectSoundPage(page);
  await typeInto(page, confirm, renamed);
  await page.keyboard.press("Enter");
  await expect(page.getByText(`“${renamed}” is revoked`)).toBeVisible();
  await expect(page.getByRole("heading", { name: "API clients" })).toBeVisible();
  await expect(client(page, "Demo client")).toBeVisible();
  await expect(client(page, renamed)).toHaveCount(0);
  await page.goBack();
  await expect(page.getByRole("alert").filter({ hasText: "Not found" })).toBeVisible();
  await expect(button(page, "Revoke the client")).toHaveCount(0);
});

test("an edit that would undo somebody else's is not saved before its author has seen the other", async ({
  page,
}, info) => {
  const { id } = await createClient(page, `Shared ${info.project.name}`);
  await page.goto(`${PATH}/${id}`);
  await field(page, "Redirect URI 1").fill("https://client.example/mine");
  const theirs = { redirect_uris: ["https://client.example/theirs"] };
  const headers = { origin: readDemo().base_url };
  expect((await page.request.patch(`/api/v1/settings/clients/${id}`, { data: theirs, headers })).status()).toBe(200);

  await button(page, "Save changes").click();
  const alert = page.getByRole("alert").filter({ hasText: "This client was changed meanwhile" });
  await expect(alert).toBeFocused();
  await expect(alert).toContainText("The redirect URIs are now https://client.example/theirs.");
  await expectSoundPage(page);
  await expect(field(page, "Redirect URI 1")).toHaveValue("https://client.example/mine");
  await button(page, "Take theirs").click();
  await expect(field(page, "Redirect URI 1")).toHaveValue("https://client.example/theirs");
  await expect(alert).toHaveCount(0);
});

test("a revocation says how many tokens of how many people it stops @phone", async ({ page }, info) => {
  const name = `Stopped ${info.project.name}`;
  const { id, client_id, client_secret } = await createClient(page, name);
  const { base_url: baseUrl, admin } = readDemo();
  const asked = {
    baseUrl,
    ...admin,
    client: { client_id, client_secret, redirect_uri: REDIRECT_URI },
    scope: "crm:read",
  };
  const { access_token } = await obtainAccessToken(asked);
  await page.goto(`${PATH}/${id}`);
  await button(page, "Revoke the client").click();
  const dialog = page.getByRole("dialog", { name: `Revoke “${name}”?` });
  await expect(dialog).toContainText("1 live access token will stop working");
  await expect(dialog).toContainText("1 person allowed it");
  await field(page, /to confirm$/).fill(name);
  await button(page, "Revoke it for ever").click();
  await expect(page.getByText("1 access token stopped working.")).toBeVisible();
  const headers = { authorization: `Bearer ${access_token}` };
  expect((await fetch(`${baseUrl}/api/v1/accounts`, { headers })).status).toBe(401);
});

test("an organization without clients reads what one is, and how to create it", async ({ page }) => {
  await page.route(CLIENTS, (route) => route.fulfill({ json: { data: [], next_cursor: null, has_more: false } }));
  await page.goto(PATH);
  await expect(page.getByText("No API clients yet")).toBeVisible();
  await expectSoundPage(page);
  await page.getByRole("link", { name: "Create client" }).click();
  await expect(page).toHaveURL(/\/settings\/api\/new$/);
});

test("more clients are loaded below the first ones, and a list that cannot be read is explained", async ({
  page,
}, info) => {
  await createClient(page, `Second ${info.project.name}`);
  await page.route(`${CLIENTS}?*`, (route) => route.continue({ url: `${route.request().url()}&limit=1` }));
  await page.route(CLIENTS, (route) => route.continue({ url: `${route.request().url()}?limit=1` }));
  await page.goto(PATH);
  await expect(page.getByRole("row")).toHaveCount(2);
  await button(page, "Load more").click();
  await expect(page.getByRole("row")).toHaveCount(3);
  await page.unroute(CLIENTS);
  await page.route(CLIENTS, (route) =>
    route.fulfill({
      status: 403,
      json: { title: "This is not allowed", status: 403, detail: "Only admins may do this.", code: "forbidden" },
    }),
  );
  await page.reload();
  await expect(page.getByRole("alert").filter({ hasText: "Only admins may do this." })).toBeVisible();
  await expectSoundPage(page);
});

test("a new secret is shown, whatever the reader presses while it is made", async ({ page }, info) => {
  await page.goto(PATH);
  const { id } = await createClient(page, `Made slowly ${info.project.name}`);
  await page.goto(`${PATH}/${id}`);
  await button(page, "Rotate the secret").click();
  const { promise: isWanted, resolve: answer } = Promise.withResolvers<void>();
  await page.route("**/rotate_secret", async (route) => {
    await isWanted;
    await route.continue();
  });
  await button(page, "Make a new secret").click();
  await expect(button(page, "Cancel")).toBeDisabled();
  await page.keyboard.press("Escape");
  await page.mouse.click(5, 5);
  answer();
  await expect(page.getByRole("alert").filter({ hasText: "This is the only time it is shown" })).toBeVisible();
});

test("a secret that the browser does not copy is said to be not copied", async ({ page }, info) => {
  await page.goto(PATH);
  const { id } = await createClient(page, `Not copied ${info.project.name}`);
  await page.goto(`${PATH}/${id}`);
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new DOMException("No", "NotAllowedError"));
  });
  await button(page, "Copy the client_id").first().click();
  await expect(page.getByRole("alert").filter({ hasText: "Not copied" })).toBeVisible();
});
