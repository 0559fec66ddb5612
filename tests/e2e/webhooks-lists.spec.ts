import { expect } from "@playwright/test";

import { expectSoundPage } from "@/tests/e2e/support/page-checks";
import {
  button,
  createWebhook,
  field,
  removeWebhook,
  send,
  test,
  WEBHOOKS_PATH,
} from "@/tests/e2e/support/webhook-pages";

const WEBHOOKS = "**/api/v1/webhooks";

test("an edit that would undo somebody else's is not saved before its author has seen the other", async ({
  page,
  receiver,
}, info) => {
  const webhook = await createWebhook(page, { url: receiver.url, description: `Shared ${info.project.name}` });
  await page.goto(`${WEBHOOKS_PATH}/${webhook.id}/settings`);
  await field(page, "Description").fill("mine");
  await send(page, "PATCH", `/webhooks/${webhook.id}`, { description: "theirs" });
  await button(page, "Save changes").click();
  const alert = page.getByRole("alert").filter({ hasText: "This webhook was changed meanwhile" });
  await expect(alert).toBeFocused();
  await expect(alert).toContainText("The description is now “theirs”.");
  await expectSoundPage(page);
  await expect(field(page, "Description")).toHaveValue("mine");
  await button(page, "Save changes").click();
  await expect(page.getByRole("heading", { level: 1, name: "mine" })).toBeVisible();
  await expect(alert).toHaveCount(0);
  await removeWebhook(page, webhook);
});

test("an organization without webhooks reads what they are for, and a list that cannot be read is explained", async ({
  page,
}) => {
  await page.route(WEBHOOKS, (route) => route.fulfill({ json: { data: [], next_cursor: null, has_more: false } }));
  await page.goto(WEBHOOKS_PATH);
  await expect(page.getByText("No webhooks yet")).toBeVisible();
  await expectSoundPage(page);
  await page.unroute(WEBHOOKS);
  await page.route(WEBHOOKS, (route) =>
    route.fulfill({
      status: 403,
      json: { title: "This is not allowed", status: 403, detail: "Only admins may do this.", code: "forbidden" },
    }),
  );
  await page.reload();
  await expect(page.getByRole("alert").filter({ hasText: "Only admins may do this." })).toBeVisible();
  await expectSoundPage(page);
});

test("more webhooks, and more deliveries, are loaded below the first ones @phone", async ({ page, receiver }, info) => {
  const both = [];
  for (const which of ["First", "Second"])
    both.push(await createWebhook(page, { url: receiver.url, description: `${which} ${info.project.name}` }));
  await page.route(/\/api\/v1\/webhooks(\?|$)/, (route) => {
    const url = new URL(route.request().url());
    url.searchParams.set("limit", "1");
    return route.continue({ url: String(url) });
  });
  await page.goto(WEBHOOKS_PATH);
  await expect(page.getByRole("row")).toHaveCount(2);
  await button(page, "Load more").click();
  await expect(page.getByRole("row")).toHaveCount(3);

  const [webhook] = both;
  for (let sent = 0; sent < 26; sent++) await send(page, "POST", `/webhooks/${webhook?.id}/test`);
  await page.goto(`${WEBHOOKS_PATH}/${webhook?.id}`);
  await expect(page.getByRole("row")).toHaveCount(26);
  await button(page, "Load more").click();
  await expect(page.getByRole("row")).toHaveCount(27);
  await expect(page.getByText("That is all of the last 30 days.")).toBeVisible();
  for (const created of both) await removeWebhook(page, created);
});

test("a webhook or delivery that does not exist is reported as missing, with a link to the list", async ({ page }) => {
  const nobody = "01890000-0000-7000-8000-000000000000";
  await page.goto(`${WEBHOOKS_PATH}/${nobody}/deliveries/${nobody}`);
  await page.getByRole("link", { name: "All deliveries" }).click();
  await expect(page).toHaveURL(`${WEBHOOKS_PATH}/${nobody}`);
  await page.getByRole("link", { name: "All webhooks" }).click();
  await expect(page).toHaveURL(WEBHOOKS_PATH);
});
