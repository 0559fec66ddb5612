import { expect, test } from "vitest";

import { readFilter, queryOf } from "@/components/settings/webhooks/deliveries/filter";
import { nextTry } from "@/components/settings/webhooks/deliveries/next-try";
import { sinceOf } from "@/components/settings/webhooks/deliveries/recover/since";
import { refetchEvery } from "@/components/settings/webhooks/deliveries/refetch-every";
import { hostOf, nameOf } from "@/components/settings/webhooks/webhook";
import { stateOf } from "@/components/settings/webhooks/webhook-state";
import { toLocalTime } from "@/components/ui/text/time-zone";
import { TEST_EVENT } from "@/lib/event-format";

const NOW = Date.parse("2026-11-21T12:00:00Z");
const DAY_MS = 86_400_000;
const at = (ms: number) => new Date(NOW + ms).toISOString();

const DONE = { event: "case.created", state: "delivered", next_attempt_at: null } as const;
const SOON = { event: "case.created", state: "pending", next_attempt_at: at(4000) } as const;
const LATER = { event: "case.created", state: "pending", next_attempt_at: at(3_600_000) } as const;

test.each([
  [{ active: true, disabled_reason: null, failing_since: null }, "On"],
  [{ active: true, disabled_reason: null, failing_since: at(-30_000) }, "Failing for a moment"],
  [{ active: true, disabled_reason: null, failing_since: at(-3 * 3_600_000) }, "Failing for 3 hours"],
  [{ active: true, disabled_reason: null, failing_since: at(-3 * DAY_MS) }, "Failing for 3 days"],
  [{ active: false, disabled_reason: null, failing_since: at(-DAY_MS) }, "Off"],
  [{ active: false, disabled_reason: "gone", failing_since: null }, "Switched off: gone"],
  [{ active: false, disabled_reason: "failing", failing_since: at(-6 * DAY_MS) }, "Switched off: failing"],
  [{ active: false, disabled_reason: "access_ended", failing_since: null }, "Switched off: app without access"],
] as const)("the state of %j is “%s”", (webhook, words) => {
  expect(stateOf({ ...webhook, failed_deliveries: 0 }, NOW).label).toBe(words);
});

const localTime = (time: number) => toLocalTime(new Date(time).toISOString());

test("a webhook that is on does not look healthy while deliveries have failed", () => {
  const webhook = { active: true, disabled_reason: null, failing_since: null };
  const colors = [0, 4].map((failed_deliveries) => stateOf({ ...webhook, failed_deliveries }, NOW).color);
  expect(colors).toEqual(["pine", "amber"]);
});

test.each([
  ["pending", 240_000, true, "in 4 minutes"],
  ["pending", -5000, true, "now"],
  ["pending", 240_000, false, "once the webhook is on"],
  ["failed", null, true, "none left"],
  ["delivered", null, true, null],
] as const)("a %s delivery due in %s ms, with the webhook on: %s, is tried next %s", (state, ms, isOn, words) => {
  expect(nextTry({ state, next_attempt_at: ms === null ? null : at(ms) }, isOn, NOW)).toBe(words);
});

test("deliveries are read again often while one is due soon, seldom while one waits, else never", () => {
  const [closely, loosely] = [refetchEvery([DONE, SOON, LATER], true, NOW), refetchEvery([DONE, LATER], true, NOW)];
  expect(refetchEvery([DONE], true, NOW)).toBe(false);
  expect(closely).toBeGreaterThan(0);
  expect(Number(closely)).toBeLessThan(Number(loosely));
});

test("while a webhook is off, only its test events are read again, since only they are sent", () => {
  const overdue = { ...SOON, next_attempt_at: at(-5000) };
  expect(refetchEvery([SOON, LATER, overdue], false, NOW)).toBe(false);
  expect(refetchEvery([LATER, { ...SOON, event: TEST_EVENT }], false, NOW)).toBe(refetchEvery([SOON], true, NOW));
});

test("the time since which deliveries are recovered is within the last 30 days", () => {
  expect(sinceOf("week", "", NOW)?.getTime()).toBe(NOW - 7 * DAY_MS);
  expect(sinceOf("own", localTime(NOW - DAY_MS), NOW)?.getTime()).toBe(NOW - DAY_MS);
  for (const refused of ["", localTime(NOW + 60_000), localTime(NOW - 31 * DAY_MS)])
    expect(sinceOf("own", refused, NOW)).toBeNull();
});

test("the address filters the log by states and events that exist, and by nothing else", () => {
  expect(readFilter(new URLSearchParams("state=failed&event=case.*"))).toEqual({ state: "failed", event: "case.*" });
  expect(readFilter(new URLSearchParams("state=toString&event=case.nothing"))).toEqual({ state: "", event: "" });
  expect(queryOf({ state: "failed", event: "" })).toBe("state=failed");
});

test("a webhook without a description is named by its host", () => {
  const url = "https://hooks.example:8443/crm/";
  expect(nameOf({ url, description: null })).toBe("hooks.example:8443");
  expect(nameOf({ url, description: "Shop" })).toBe("Shop");
  expect(hostOf({ url })).toBe("hooks.example:8443");
});
