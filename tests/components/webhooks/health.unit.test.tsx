import { MantineProvider } from "@mantine/core";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";

import { WEBHOOK_COLUMNS } from "@/components/settings/webhooks/list/webhook-columns";
import { HealthAlert } from "@/components/settings/webhooks/manage/health-alert";
import { EndsAtOnce } from "@/components/settings/webhooks/secret/ends-at-once";
import { WebhookFacts } from "@/components/settings/webhooks/webhook-facts";
import type { Webhook } from "@/lib/webhooks/endpoints/webhook-schema";

const ID = "019cf0f2-7480-7c1e-8a53-6d1b1f0a9c44";
const FAILED_LOG = `href="/settings/webhooks/${ID}?state=failed#deliveries"`;
const TRIED_AGAIN = "tried again by themselves";

const WELL: Webhook = {
  id: ID,
  created_at: "2026-11-01T10:00:00.000Z",
  updated_at: "2026-11-01T10:00:00.000Z",
  version: 1,
  url: "https://hooks.example.com/crm",
  description: null,
  events: ["case.*"],
  active: true,
  disabled_at: null,
  disabled_reason: null,
  url_set_by: "ada@example.com",
  client_id: null,
  client_name: null,
  is_signed: true,
  previous_secret_expires_at: null,
  last_delivered_at: "2026-11-21T10:00:00.000Z",
  last_failed_at: null,
  failing_since: null,
  pending_deliveries: 0,
  failed_deliveries: 0,
};

function shown(node: ReactNode): string {
  return renderToStaticMarkup(<MantineProvider>{node}</MantineProvider>);
}

function alertOf(more: Partial<Webhook>): string {
  return shown(<HealthAlert webhook={{ ...WELL, ...more }} isBusy={false} onSwitchOn={() => undefined} />);
}

function stateCell(more: Partial<Webhook>): string {
  return shown(WEBHOOK_COLUMNS.find(({ key }) => key === "state")?.cell({ ...WELL, ...more }));
}

describe("deliveries that have failed for good", () => {
  test("are shown with a link and Recover, even if later ones were delivered", () => {
    const alert = alertOf({ failed_deliveries: 4 });
    for (const part of ["4 deliveries have failed", FAILED_LOG, "Recover", "no further try is made"])
      expect(alert).toContain(part);
    expect(alert).not.toContain("Nothing arrives");
    expect(alertOf({ failed_deliveries: 1 })).toContain("1 delivery has failed");
  });

  test("are shown while the webhook is off, too, and can be recovered once it is on", () => {
    for (const disabled_reason of [null, "failing"] as const) {
      const alert = alertOf({ active: false, disabled_reason, failed_deliveries: 4 });
      for (const part of ["4 deliveries have failed", FAILED_LOG, "once the webhook is on"])
        expect(alert).toContain(part);
    }
  });

  test("are a link in the list and in the facts; without any, neither shows a warning", () => {
    expect(stateCell({ failed_deliveries: 4 })).toMatch(/state=failed#deliveries"[^>]*>4 failed</);
    expect(stateCell({})).not.toContain("failed");
    expect(shown(<WebhookFacts webhook={{ ...WELL, failed_deliveries: 1200 }} />)).toMatch(
      /state=failed#deliveries"[^>]*>1,200</,
    );
    expect(shown(<WebhookFacts webhook={WELL} />)).not.toContain("state=failed");
    expect(alertOf({})).not.toContain('role="alert"');
  });
});

test("the page names the app that set the endpoint, says that it lost its access, and what to do then", () => {
  const named = shown(<WebhookFacts webhook={{ ...WELL, client_id: "crm_1", client_name: "Reporting" }} />);
  expect(named).toMatch(/the app “<bdi>Reporting<\/bdi>”, in the name of (<!-- -->)?ada@example\.com/);
  expect(shown(<WebhookFacts webhook={WELL} />)).not.toContain("the app");
  const alert = alertOf({ active: false, disabled_reason: "access_ended", disabled_at: "2026-11-21T10:00:00.000Z" });
  for (const part of ["An app set this endpoint", "delete the webhook", "Switch on"]) expect(alert).toContain(part);
  expect(alert).not.toContain("mend the endpoint");
});

test("a failing webhook promises further tries only while something is pending", () => {
  const failing = { failing_since: "2026-11-20T10:00:00.000Z" };
  const waiting = alertOf({ ...failing, pending_deliveries: 2 });
  expect(waiting).toContain(TRIED_AGAIN);
  expect(waiting).not.toContain("Recover");
  const over = alertOf({ ...failing, failed_deliveries: 4 });
  for (const part of ["Nothing arrives at the endpoint", "no further try is made", "Recover", FAILED_LOG])
    expect(over).toContain(part);
  expect(over).not.toContain(TRIED_AGAIN);
  const both = alertOf({ ...failing, pending_deliveries: 2, failed_deliveries: 4 });
  for (const part of [TRIED_AGAIN, "4 deliveries have failed"]) expect(both).toContain(part);
});

test("rotating warns while the previous secret still signs, and only then", () => {
  const [past, future] = [-1, 3_600_000].map((ms) => new Date(Date.now() + ms).toISOString());
  expect(shown(<EndsAtOnce until={String(future)} />)).toContain("ends at once");
  for (const until of [String(past), null]) expect(shown(<EndsAtOnce until={until} />)).not.toContain("ends at once");
});
