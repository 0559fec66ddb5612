import { expect, test } from "vitest";

import { EVENT_GROUPS, eventName } from "@/components/settings/webhooks/event-names";
import { countOf, eventsOf, toggled } from "@/components/settings/webhooks/form/event-choice";
import { WEBHOOK_EVENTS } from "@/lib/webhooks/event-types";

test("every event can be chosen, each in one group", () => {
  expect(EVENT_GROUPS.flatMap(({ events }) => events)).toEqual([...WEBHOOK_EVENTS]);
  expect(EVENT_GROUPS.map(({ label }) => label)).toEqual(["Opportunities", "Cases", "Leads", "Contacts", "Accounts"]);
});

test.each([
  [["case.created", "account.deleted"], ["case.created", "account.deleted"], 2],
  [["case.*", "case.created"], ["case.*"], 4],
  [["account.created", "case.*", "case.created"], ["case.*", "account.created"], 5],
  [["*", "case.*", "lead.created"], ["*"], WEBHOOK_EVENTS.length],
  [[], [], 0],
])("of %j is sent %j: wildcards stay what they are, and what they include is left out", (ticked, sent, count) => {
  expect(eventsOf(ticked)).toEqual(sent);
  expect(countOf(ticked)).toBe(count);
});

test("boxes ticked below a wildcard count again when the wildcard is unticked", () => {
  const widened = toggled(["case.created"], "case.*");
  expect(eventsOf(toggled(widened, "case.*"))).toEqual(["case.created"]);
});

test("events have names in words", () => {
  expect(["*", "case.*", "opportunity.stage_changed", "webhook.test"].map(eventName)).toEqual([
    "Everything",
    "All events of cases",
    "Opportunity stage changed",
    "Test event",
  ]);
});
