import { expect, type Locator, type Page } from "@playwright/test";

import { readDemo } from "@/tests/e2e/support/demo";
import { test as signedIn } from "@/tests/e2e/support/signed-in";
import { type Behaviour, WebhookReceiver } from "@/tests/support/webhook-receiver";

export const WEBHOOKS_PATH = "/settings/webhooks";

/** An endpoint's answer with a body, and with a header to be shown. */
export function answering(status: number, body: string): Behaviour {
  return (response) => void response.writeHead(status, { "content-type": "text/html", "x-receiver": "shop" }).end(body);
}

/** Tests with an admin's browser and an endpoint. */
export const test = signedIn.extend<{ receiver: WebhookReceiver }>({
  receiver: async ({ context }, use) => {
    const receiver = await WebhookReceiver.start(answering(200, "thanks"));
    context.on("close", () => void receiver[Symbol.asyncDispose]());
    await use(receiver);
  },
});

export function button(page: Page, name: string): Locator {
  return page.getByRole("button", { name, exact: true });
}

export function field(page: Page, name: string | RegExp): Locator {
  return page.getByRole("textbox", { name });
}

export function box(page: Page, name: string): Locator {
  return page.getByRole("checkbox", { name });
}

/** The link to one page of a webhook. */
export function tab(page: Page, name: "Deliveries" | "Settings"): Locator {
  return page.getByRole("navigation", { name: "Webhook" }).getByRole("link", { name });
}

/** The id in the address of a webhook's page. */
export function webhookOf(page: Page): { id: string } {
  return { id: new URL(page.url()).pathname.split("/")[3] ?? "" };
}

/** Sends a request, as another open page of the admin would. */
export async function send(
  page: Page,
  method: "POST" | "PATCH" | "DELETE",
  path: string,
  data: unknown = {},
): Promise<{ id: string }> {
  const answer = await page.request.fetch(`/api/v1${path}`, { method, data, headers: { origin: readDemo().base_url } });
  expect(answer.ok(), await answer.text()).toBe(true);
  return (await answer.json()) as { id: string };
}

export function createWebhook(
  page: Page,
  given: { url: string; description: string; events?: string[] },
): Promise<{ id: string }> {
  return send(page, "POST", "/webhooks", { events: ["*"], generate_secret: true, ...given });
}

/** Removes a webhook, so that later tests do not find it. */
export async function removeWebhook(page: Page, { id }: { id: string }): Promise<void> {
  await send(page, "DELETE", `/webhooks/${id}`);
}
