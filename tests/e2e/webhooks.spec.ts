import { expect } from "@playwright/test";
import { Webhook as Verifier } from "standardwebhooks";

import { pressOn, tabTo, typeInto } from "@/tests/e2e/support/keyboard";
import { expectSoundListedPage } from "@/tests/e2e/support/listed-pages";
import { expectSoundPage } from "@/tests/e2e/support/page-checks";
import {
  box,
  button,
  field,
  removeWebhook,
  send,
  tab,
  test,
  webhookOf,
  WEBHOOKS_PATH,
} from "@/tests/e2e/support/webhook-pages";

test("by keyboard, an admin creates a webhook, tries it, changes it, rotates its secret and deletes it", async ({
  page,
  context,
  receiver,
}, info) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  const name = `Warehouse ${info.project.name}`;
  await page.goto(WEBHOOKS_PATH);
  await expectSoundListedPage(page, "settings-webhooks");

  await pressOn(page, page.getByRole("link", { name: "Create webhook" }));
  await expect(page.getByRole("heading", { name: "Create a webhook" })).toBeVisible();
  await expectSoundListedPage(page, "settings-webhook-new");
  await typeInto(page, field(page, "Endpoint"), "not an address");
  await page.keyboard.press("Enter");
  await expect(field(page, "Endpoint")).toBeFocused();
  await expect(field(page, "Endpoint")).toHaveAccessibleDescription(/This is not an address\./);
  await expect(page.getByText("Name at least one event.")).toBeVisible();
  await expectSoundPage(page);

  await typeInto(page, field(page, "Endpoint"), receiver.url);
  await typeInto(page, field(page, "Description"), name);
  await pressOn(page, box(page, "Created case.created"), "Space");
  await pressOn(page, box(page, "All events lead.*"), "Space");
  await expect(box(page, "Converted lead.converted")).toBeChecked();
  await expect(box(page, "Converted lead.converted")).toBeDisabled();
  await expect(page.getByText("5 events chosen").first()).toBeVisible();
  await pressOn(page, button(page, "Create webhook"));

  const notice = page.getByRole("alert").filter({ hasText: "This is the only time it is shown" });
  await expect(notice).toBeFocused();
  await expect(page.getByText("lead.*")).toBeVisible();
  await expectSoundPage(page);
  await pressOn(page, button(page, "Copy the secret"));
  await expect.poll(copied).toMatch(/^whsec_/);
  const secret = await copied();
  await tabTo(page, page.getByRole("tab", { name: "Node" }));
  await expect(page.getByRole("tabpanel", { name: "Node" })).toContainText("new Webhook(env.WEBHOOK_SECRET)");
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("tabpanel", { name: "Python" })).toContainText('Webhook(os.environ["WEBHOOK_SECRET"])');
  await pressOn(page, button(page, "Send a test event"));
  await expect(page.getByText("The endpoint answered 200")).toBeVisible();
  const [tried] = receiver.received;
  expect(new Verifier(secret).verify(tried?.body ?? "", tried?.headers as Record<string, string>)).toMatchObject({
    type: "webhook.test",
  });
  await expectSoundPage(page);
  await pressOn(page, page.getByRole("link", { name: "Done" }));

  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
  await expect(page.getByText(secret)).toHaveCount(0);
  await expect(page.getByRole("row").filter({ hasText: "webhook.test" })).toContainText("Delivered");
  await expectSoundListedPage(page, "settings-webhook");
  await pressOn(page, tab(page, "Settings"));
  await expect(page.getByRole("heading", { name: "Endpoint and events" })).toBeVisible();
  await expectSoundListedPage(page, "settings-webhook-settings");

  const renamed = `${name} at night`;
  await typeInto(page, field(page, "Description"), renamed);
  await pressOn(page, box(page, "Everything *"), "Space");
  await page.keyboard.press("Tab");
  await pressOn(page, button(page, "Save changes"));
  await expect(page.getByRole("heading", { level: 1, name: renamed })).toBeVisible();
  await expect(page.getByText("Saved.")).toBeAttached();
  await page.reload();
  await expect(box(page, "Everything *")).toBeChecked();

  const rotate = button(page, "Rotate the secret").first();
  await pressOn(page, rotate);
  await expect(page.getByRole("radio", { name: "Make one for me" })).toBeFocused();
  await expectSoundPage(page);
  await pressOn(page, page.getByRole("dialog").getByRole("button", { name: "Rotate the secret" }));
  await expect(notice).toBeFocused();
  await expectSoundPage(page);
  await page.keyboard.press("Escape");
  await pressOn(page, button(page, "Copy the secret"));
  await expect.poll(copied).not.toBe(secret);
  const fresh = await copied();
  await pressOn(page, button(page, "Done"));
  await expect(rotate).toBeFocused();
  await expect(page.getByText(/The old secret signs too, until/)).toBeVisible();
  await send(page, "POST", `/webhooks/${webhookOf(page).id}/test`);
  await expect.poll(() => receiver.received.length).toBe(2);
  const rotated = receiver.received[1];
  for (const key of [secret, fresh])
    new Verifier(key).verify(rotated?.body ?? "", rotated?.headers as Record<string, string>);

  await pressOn(page, button(page, "Delete the webhook"));
  const host = new URL(receiver.url).host;
  const confirm = field(page, `Type ${host} to confirm`);
  await expect(confirm).toBeFocused();
  await page.keyboard.type("another");
  await page.keyboard.press("Enter");
  await expect(confirm).toHaveAccessibleDescription(/not the endpoint's host/);
  await expectSoundPage(page);
  await typeInto(page, confirm, host);
  await page.keyboard.press("Enter");
  await expect(page.getByText(`“${renamed}” is deleted`)).toBeVisible();
  await expect(page).toHaveURL(WEBHOOKS_PATH);
  await expect(page.getByRole("link", { name: renamed })).toHaveCount(0);
  await page.goBack();
  await expect(page.getByRole("alert").filter({ hasText: "Not found" })).toBeVisible();
  await expect(button(page, "Delete the webhook")).toHaveCount(0);
});

test("a webhook can have the reader's own secret, or none at first @phone", async ({ page, receiver }, info) => {
  await page.goto(`${WEBHOOKS_PATH}/new`);
  await field(page, "Endpoint").fill(receiver.url);
  await field(page, "Description").fill(`Legacy ${info.project.name}`);
  await box(page, "Everything *").check();
  await page.getByRole("radio", { name: "None" }).check();
  await expect(page.getByText("Anybody could pretend to be this service")).toBeVisible();
  await page.getByRole("radio", { name: "I bring my own" }).check();
  await field(page, "Your secret").fill("short");
  await button(page, "Create webhook").click();
  await expect(field(page, "Your secret")).toBeFocused();
  await expect(field(page, "Your secret")).toHaveAccessibleDescription(/8 to 128 characters/);
  await page.getByRole("radio", { name: "None" }).check();
  await button(page, "Create webhook").click();
  await expect(page.getByText("Deliveries are not signed")).toBeVisible();
  await expect(page.getByRole("tabpanel", { name: "Node" })).toContainText("JSON.parse(body)");
  await expectSoundPage(page);
  await page.getByRole("link", { name: "Done" }).click();
  await tab(page, "Settings").click();
  await button(page, "Add a secret").click();
  await page.getByRole("radio", { name: "I bring my own" }).check();
  await field(page, "Your secret").fill("a secret of our own");
  await expectSoundPage(page);
  await button(page, "Add the secret").click();
  await expect(page.getByText("Deliveries are signed with it from now on.")).toBeVisible();
  await button(page, "Done").click();
  const { id } = webhookOf(page);
  await send(page, "POST", `/webhooks/${id}/test`);
  await expect.poll(() => receiver.received.length).toBe(1);
  const [got] = receiver.received;
  new Verifier("a secret of our own", { format: "raw" }).verify(
    got?.body ?? "",
    got?.headers as Record<string, string>,
  );
  await removeWebhook(page, { id });
});
