import { expect, test } from "vitest";

import { ClientDetail } from "@/components/settings/api/client-detail";
import { ClientList } from "@/components/settings/api/client-list";
import { WebhookList } from "@/components/settings/webhooks/list/webhook-list";
import { markupOf } from "@/tests/components/support/app-router";

test("the settings of programs and webhooks lead to what the API reference says of them", () => {
  expect(markupOf(<ClientList />)).toContain('href="/docs"');
  expect(markupOf(<ClientDetail id="1" service="https://crm.example" />)).toContain('href="/docs/sign-in"');
  expect(markupOf(<WebhookList />)).toContain('href="/docs/webhooks#receiving"');
});
