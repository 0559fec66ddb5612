import { MantineProvider } from "@mantine/core";
import { renderToStaticMarkup } from "react-dom/server";
import { Webhook } from "standardwebhooks";
import { afterEach, expect, test, vi } from "vitest";

import ResourcePage from "@/app/docs/[resource]/page";
import { EXAMPLE_SECRET, receivedRequest } from "@/app/docs/received-request";
import { deliveryRules } from "@/app/docs/receiving-text";
import { openApi } from "@/lib/http/openapi/document";

afterEach(() => {
  vi.useRealTimers();
});

async function page(resource: string): Promise<string> {
  return renderToStaticMarkup(
    <MantineProvider>{await ResourcePage({ params: Promise.resolve({ resource }) })}</MantineProvider>,
  );
}

/** The printed request, as a receiver gets it. */
function received() {
  const [head = "", body = ""] = receivedRequest().split("\n\n");
  const headers = head
    .split("\n")
    .slice(1)
    .map((line) => line.split(": "));
  return { headers: Object.fromEntries(headers) as Record<string, string>, body };
}

test("the printed request verifies with the secret beside it, and is the one in the document", () => {
  const { headers, body } = received();
  vi.useFakeTimers({ now: Number(headers["webhook-timestamp"]) * 1000 });
  const webhook = new Webhook(EXAMPLE_SECRET);
  expect(webhook.verify(body, headers)).toMatchObject({
    id: headers["webhook-id"],
    type: "webhook.test",
    api_version: "v1",
  });
  expect(() => webhook.verify(body.replace("test", "best"), headers)).toThrow("No matching signature found");
  const { parameters } = openApi().webhooks.event.post;
  expect(Object.keys(headers)).toEqual(expect.arrayContaining(parameters.map(({ name }) => name)));
});

test("only the page of webhooks says what an endpoint gets, how to verify it and when it is sent again", async () => {
  const webhooks = await page("webhooks");
  const named = [
    "Standard Webhooks",
    "webhook-id",
    "webhook-timestamp",
    "webhook-signature",
    "whsec_",
    "organization_id",
    "api_version",
  ];
  const rules = ["within 15 seconds", "Retry-After", "Redirects", "410", "standardwebhooks"];
  for (const each of [...named, ...rules]) expect(webhooks).toContain(each);
  expect(webhooks).toMatch(/href="#receiving"/);
  expect(webhooks.split('id="receiving"')).toHaveLength(2);
  expect(await page("accounts")).not.toContain("webhook-signature");
});

test("the waiting times are those of the service, in words", () => {
  expect(deliveryRules([5, 300, 1800, 7200, 90])).toContain(
    "after 5 seconds, then 5 minutes, then 30 minutes, then 2 hours, then 90 seconds, each",
  );
  expect(deliveryRules([1])).toContain("after 1 second, a fifth more or less");
  expect(deliveryRules([])).toContain("not to retry");
});
