import { expect, type Page } from "@playwright/test";

import { obtainAccessToken } from "@/scripts/demo/obtain-access-token";
import { readDemo } from "@/tests/e2e/support/demo";
import { pressOn, tabTo } from "@/tests/e2e/support/keyboard";
import { expectSoundPage } from "@/tests/e2e/support/page-checks";
import { test } from "@/tests/e2e/support/signed-in";
import { button, field, removeWebhook, send, WEBHOOKS_PATH } from "@/tests/e2e/support/webhook-pages";

const REDIRECT_URI = "https://client.example/callback";
const HOST = "reports.example";

/** Creates an app that the admin has allowed to write, and a webhook that it set up with its access token. */
async function appWithWebhook(page: Page, name: string) {
  const { base_url: baseUrl, admin } = readDemo();
  const client = (await send(page, "POST", "/settings/clients", {
    name,
    redirect_uris: [REDIRECT_URI],
    scopes: ["crm:write"],
  })) as {
    id: string;
    client_id: string;
    client_secret: string;
  };
  const token = await obtainAccessToken({
    baseUrl,
    ...admin,
    client: { ...client, redirect_uri: REDIRECT_URI },
    scope: "crm:write",
  });
  const answer = await fetch(`${baseUrl}/api/v1/webhooks`, {
    method: "POST",
    headers: { authorization: `Bearer ${token.access_token}`, "content-type": "application/json" },
    body: JSON.stringify({
      url: `https://${HOST}/in?key=secret`,
      events: ["lead.converted"],
      description: `${name}’s feed`,
    }),
  });
  expect(answer.status).toBe(201);
  return { client, webhook: (await answer.json()) as { id: string } };
}

const checkbox = (page: Page) => page.getByRole("checkbox", { name: "Switch off the webhook that it set up" });

test("by keyboard, an app is revoked with its webhook; the webhook's page and the audit log say so", async ({
  page,
}, info) => {
  const name = `Reports ${info.project.name}`;
  const { client, webhook } = await appWithWebhook(page, name);
  await page.goto(WEBHOOKS_PATH);
  await expect(page.getByRole("row").filter({ hasText: `set by the app “${name}”` })).toContainText(HOST);
  await expectSoundPage(page);

  await page.goto(`/settings/api/${client.id}`);
  await expect(page.getByRole("link", { name: HOST })).toBeVisible();
  await expectSoundPage(page);
  await pressOn(page, button(page, "Revoke the client"));
  await expect(field(page, /to confirm$/)).toBeFocused();
  await expect(checkbox(page)).toBeChecked();
  await expect(checkbox(page)).toHaveAccessibleDescription(
    `It sends your records to ${HOST}. If you leave it on, it keeps sending them as a webhook of your own.`,
  );
  await expectSoundPage(page);
  await page.keyboard.type(name);
  await page.keyboard.press("Enter");
  await expect(page.getByText("1 access token stopped working. 1 webhook was switched off.")).toBeVisible();

  await page.goto(`${WEBHOOKS_PATH}/${webhook.id}`);
  await expect(page.getByText("Switched off: app without access")).toBeVisible();
  await expect(page.getByText("An app set this endpoint, and the access of the app has ended")).toBeVisible();
  await expectSoundPage(page);
  await page.goto("/settings/audit-log?what=webhooks");
  const told = `switched off the webhook to ${HOST}: “${name}”, which had set that endpoint, has lost its access`;
  await expect(page.getByText(told).first()).toBeVisible();
  await expectSoundPage(page);
  await removeWebhook(page, webhook);
});

test("removing an app's access can keep the webhook that it set up, which then is the person's own", async ({
  page,
}, info) => {
  const name = `Feeds ${info.project.name}`;
  const { client, webhook } = await appWithWebhook(page, name);
  await page.goto("/settings/allowed-apps");
  const app = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name }) });
  await expect(app).toContainText("Create, change and delete webhooks");
  await app.getByRole("button", { name: "Remove access" }).click();
  await expect(button(page, "Keep access")).toBeFocused();
  await expectSoundPage(page);
  await tabTo(page, checkbox(page));
  await page.keyboard.press("Space");
  await expect(checkbox(page)).not.toBeChecked();
  await page.getByRole("dialog").getByRole("button", { name: "Remove access" }).click();
  await expect(page.getByText("1 webhook was kept.")).toBeVisible();

  await page.goto(`${WEBHOOKS_PATH}/${webhook.id}`);
  await expect(page.getByRole("heading", { level: 1, name: `${name}’s feed` })).toBeVisible();
  await expect(page.getByText(readDemo().admin.email).first()).toBeVisible();
  await expect(page.getByText(`the app “${name}”`)).toHaveCount(0);
  await removeWebhook(page, webhook);
  await send(page, "DELETE", `/settings/clients/${client.id}`);
});
