import { expect } from "@playwright/test";

import { expectSoundListedPage } from "@/tests/e2e/support/listed-pages";
import { expectSoundPage } from "@/tests/e2e/support/page-checks";
import {
  answering,
  box,
  button,
  createWebhook,
  field,
  removeWebhook,
  send,
  tab,
  test,
  webhookOf,
  WEBHOOKS_PATH,
} from "@/tests/e2e/support/webhook-pages";

test("a failing endpoint is diagnosed, fixed and recovered; so is what was missed while it was off", async ({
  page,
  receiver,
}, info) => {
  const name = `Shop ${info.project.name}`;
  const subject = `Broken pump ${info.project.name}`;
  receiver.behaviour = answering(500, "<h1>No space left on device</h1>");
  await page.goto(`${WEBHOOKS_PATH}/new`);
  await field(page, "Endpoint").fill(receiver.url);
  await field(page, "Description").fill(name);
  await box(page, "All events case.*").check();
  await button(page, "Create webhook").click();
  await page.getByRole("link", { name: "Done" }).click();
  await expect(page.getByText("Nothing was sent yet")).toBeVisible();
  await expectSoundPage(page);

  const changed = await send(page, "POST", "/cases", { subject });
  await send(page, "PATCH", `/cases/${changed.id}`, { priority: "high" });
  await page.reload();
  const row = (event: string) => page.getByRole("row").filter({ hasText: event });
  await expect(row("case.created")).toContainText("The endpoint answered 500");
  await expect(row("case.updated")).toContainText("Pending");
  await expect(row("case.updated")).toContainText(/in \d+ (seconds?|minutes?)/);
  await expect(page.getByText("Nothing arrives at the endpoint")).toBeVisible();
  await expect(page.getByText("Failing for a moment")).toBeVisible();
  await expectSoundPage(page);

  await page.getByLabel("State").selectOption("Delivered");
  await expect(page.getByText("No delivery fits these filters")).toBeVisible();
  await button(page, "Clear the filters").click();
  await page.getByLabel("Event").selectOption("Case created");
  await expect(row("case.updated")).toHaveCount(0);
  await row("case.created").getByRole("link").click();
  await expect(page.getByRole("heading", { level: 1, name: "Case created" })).toBeVisible();
  const attempts = page.getByRole("listitem").filter({ hasText: /^Attempt \d/ });
  await expect(attempts.last()).toContainText("The endpoint answered 500; a delivery needs a 2xx.");
  await expect(attempts.first()).toContainText("<h1>No space left on device</h1>");
  await expect(attempts.first()).toContainText("x-receiver");
  await expect(attempts.first()).toContainText(`Sent to ${receiver.url}`);
  await expect(page.getByText(`"subject": "${subject}"`)).toBeVisible();
  await expectSoundListedPage(page, "settings-webhook-delivery");

  receiver.behaviour = answering(200, "thanks");
  const before = await attempts.count();
  await button(page, "Resend").click();
  await expect(page.getByText("It is delivered.")).toBeAttached();
  expect(await attempts.count()).toBeGreaterThan(before);
  await expect(attempts.first()).toContainText("200");
  await expectSoundPage(page);

  await page.goBack();
  await page.goBack();
  await button(page, "Recover…").click();
  await expect(page.getByRole("radio", { name: "The last day" })).toBeFocused();
  await expectSoundPage(page);
  await page.getByRole("radio", { name: "The last hour" }).check();
  await button(page, "Recover").click();
  await expect(row("case.updated")).toContainText("Delivered");
  await expect(page.getByText("Nothing arrives at the endpoint")).toHaveCount(0);
  await expectSoundPage(page);
  const ids = new Set(receiver.received.map((request) => request.headers["webhook-id"]));
  expect(ids.size).toBe(2);

  await tab(page, "Settings").click();
  // The second click must not switch it on again.
  await button(page, "Switch the webhook off").dblclick();
  await expect(page.getByText("This webhook is off")).toBeVisible();
  await expectSoundPage(page);
  const missed = `Missed ${info.project.name}`;
  await send(page, "POST", "/cases", { subject: missed });
  await tab(page, "Deliveries").click();
  await button(page, "Recover…").click();
  await expect(page.getByText("Switch it on first")).toBeVisible();
  await button(page, "Close").last().click();
  await button(page, "Switch on").click();
  await expect(page.getByText("On", { exact: true })).toBeVisible();

  await button(page, "Recover…").click();
  await page.getByRole("radio", { name: "Since a time of your own" }).check();
  await page.getByLabel("Time", { exact: true }).fill("2020-01-01T00:00");
  await button(page, "Recover").click();
  await expect(page.getByText("Choose a time within the last 30 days.")).toBeVisible();
  await expectSoundPage(page);
  const anHourAgo = new Date(Date.now() - 3_600_000);
  await page
    .getByLabel("Time", { exact: true })
    .fill(new Date(anHourAgo.getTime() - anHourAgo.getTimezoneOffset() * 60_000).toISOString().slice(0, 16));
  await button(page, "Recover").click();
  await expect.poll(() => receiver.received.map(({ body }) => body).join()).toContain(missed);
  await expect(row("case.created").first()).toContainText("Delivered");
  await removeWebhook(page, webhookOf(page));
});

test("every page shows admins a webhook that was switched off automatically, until it is on again", async ({
  page,
  receiver,
}, info) => {
  const name = `Gone ${info.project.name}`;
  const webhook = await createWebhook(page, { url: receiver.url, description: name, events: ["account.created"] });
  receiver.behaviour = answering(410, "");
  await send(page, "POST", "/accounts", { name: "Last one" });
  const notice = page.getByRole("region", { name: "Webhooks that were switched off" });
  await expect(async () => {
    await page.goto("/products");
    await expect(notice).toContainText(name, { timeout: 2000 });
  }).toPass();
  await expectSoundPage(page);
  await notice.getByRole("link", { name }).click();
  await expect(page.getByText("Switched off: gone")).toBeVisible();
  await expect(page.getByText("The endpoint answered 410")).not.toHaveCount(0);
  await expectSoundPage(page);
  await button(page, "Switch on").click();
  await expect(page.getByText("On", { exact: true })).toBeVisible();
  await page.goto("/products");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(notice).toHaveCount(0);
  await removeWebhook(page, webhook);
});

test("a recovery keeps its dialog open until it is answered, so that its refusal is seen", async ({
  page,
  receiver,
}, info) => {
  const webhook = await createWebhook(page, { url: receiver.url, description: `Held ${info.project.name}` });
  await page.goto(`${WEBHOOKS_PATH}/${webhook.id}`);
  await button(page, "Recover…").click();
  const asked = page.waitForRequest("**/recover");
  const answered = Promise.withResolvers<void>();
  await page.route("**/recover", async (route) => {
    await answered.promise;
    await route.abort();
  });
  await button(page, "Recover").click();
  await asked;
  await expect(button(page, "Cancel")).toBeDisabled();
  await page.keyboard.press("Escape");
  answered.resolve();
  await expect(page.getByRole("dialog").getByRole("alert")).toContainText("No connection");
  await button(page, "Cancel").click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await removeWebhook(page, webhook);
});
