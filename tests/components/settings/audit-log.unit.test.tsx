import { MantineProvider } from "@mantine/core";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";

import { ACTION_GROUPS, actionsOf } from "@/components/settings/audit-log/actions";
import { type AuditEvent, plainAddress } from "@/components/settings/audit-log/audit-event";
import { apiQuery, pageQuery, readFilter } from "@/components/settings/audit-log/filter/filter";
import { EventSentence } from "@/components/settings/audit-log/sentence/event-sentence";
import { formatAgo, formatDayName } from "@/components/ui/text/format";
import { showTimesIn } from "@/components/ui/text/time-zone";
import { AUDIT_ACTIONS } from "@/lib/security/audit";

const EVENT: AuditEvent = {
  id: "01890000-0000-7000-8000-000000000000",
  created_at: "2026-11-20T10:00:00.000Z",
  action: "sign_out",
  user_id: "01890000-0000-7000-8000-000000000001",
  user_email: "ada@example.com",
  user_name: "Ada Admin",
  client_id: "01890000-0000-7000-8000-000000000002",
  client_name: "Reporting",
  address: "192.0.2.1",
  details: {},
};
const ADA = "Ada Admin <ada@example.com>";

/** An event's sentence, as text. */
function sentenceOf(event: Partial<AuditEvent>): string {
  const page = renderToStaticMarkup(
    <MantineProvider>
      <EventSentence event={{ ...EVENT, ...event }} />
    </MantineProvider>,
  );
  const text = page.replace(/<style.*?<\/style>/gs, "").replaceAll(/<[^>]+>/g, "");
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").trim();
}

test("every recorded action is an option of the filter, once, with a label", () => {
  const offered = ACTION_GROUPS.flatMap(({ actions }) => Object.keys(actions));
  expect(offered.toSorted()).toEqual([...AUDIT_ACTIONS].toSorted());
});

test.each(AUDIT_ACTIONS)("%s has its own sentence", (action) => {
  const sentence = sentenceOf({ action });
  expect(sentence).toMatch(/Ada Admin <ada@example.com>|“Reporting”/);
  expect(sentence).not.toContain(`: ${ADA}`);
});

test.each([
  [
    { action: "client.revoked", details: { tokens_stopped: 3 } },
    `${ADA} revoked the API client “Reporting”; 3 access tokens stopped`,
  ],
  [
    { action: "migration.conflicts_decided", details: { records: 1 }, client_name: null },
    `${ADA} decided what becomes of 1 record that was edited here and differs in Salesforce, in a migration`,
  ],
  [
    { action: "client.secret_rotated", details: { overlap_hours: 24 } },
    `${ADA} rotated the client secret of the API client “Reporting”; the old one keeps working for 24 hours from then`,
  ],
  [{ action: "client.revoked", details: { tokens_stopped: 0 } }, `${ADA} revoked the API client “Reporting”`],
  [
    { action: "client.updated", details: { before: { name: "Old" }, after: { name: "Reporting" } } },
    `${ADA} renamed the API client “Old” to “Reporting”`,
  ],
  [
    { action: "client.updated", details: { before: { name: "R" }, after: { redirect_uris: [] } } },
    `${ADA} changed the redirect URIs of the API client “Reporting”`,
  ],
  [{ action: "client.updated", details: { after: "what was this?" } }, `${ADA} changed the API client “Reporting”`],
  [{ action: "sign_in.succeeded", user_name: null }, "ada@example.com signed in"],
  [
    { action: "member.added", details: { member_email: "lee@example.com", role: "admin" } },
    `${ADA} added lee@example.com as an admin`,
  ],
  [
    { action: "member.added", details: { member_email: "005hs1@acme.invalid", role: "member" } },
    `${ADA} added somebody without an e-mail address as a member`,
  ],
  [{ action: "migration.started", client_name: null }, `${ADA} started a migration`],
  [
    { action: "migration.started", client_name: null, details: { org_name: "Acme", host: "acme.example" } },
    `${ADA} started the migration of Acme`,
  ],
  [
    { action: "migration.deltas_scheduled", client_name: null, details: { host: "acme.example", every_minutes: 30 } },
    `${ADA} scheduled a delta of the migration of acme.example every 30 minutes`,
  ],
  [
    { action: "migration.deltas_scheduled", client_name: null, details: { host: "acme.example", every_minutes: 1440 } },
    `${ADA} scheduled a delta of the migration of acme.example every day`,
  ],
  [{ action: "webhook.created", details: { host: "example.com" } }, `${ADA} created the webhook to example.com`],
  [
    { action: "webhook.updated", details: { host: "example.com", changed: ["url", "events"] } },
    `${ADA} changed the endpoint, the events of the webhook to example.com`,
  ],
  [
    { action: "webhook.updated", details: { changed: ["active"], active: false } },
    `${ADA} switched off the webhook to an endpoint`,
  ],
  [
    { action: "webhook.disabled", user_email: null, details: { host: "example.com", reason: "gone" } },
    "The service switched off the webhook to example.com: it answered that it is gone",
  ],
  [
    { action: "webhook.disabled", details: { host: "example.com", reason: "access_ended" } },
    `${ADA} switched off the webhook to example.com: “Reporting”, which had set that endpoint, has lost its access`,
  ],
  [
    { action: "webhook.resent", details: { host: "example.com" } },
    `${ADA} resent a delivery to the webhook to example.com`,
  ],
  [
    { action: "webhook.recovered", details: { host: "example.com" } },
    `${ADA} recovered what the webhook to example.com had missed`,
  ],
  [
    { action: "client.revoked", details: { tokens_stopped: 3, webhooks_switched_off: 1 } },
    `${ADA} revoked the API client “Reporting”; 3 access tokens stopped; 1 webhook switched off`,
  ],
  [
    { action: "grant.revoked", details: { tokens_stopped: 0, webhooks_kept: 2 } },
    `${ADA} removed the access of “Reporting”; 2 webhooks kept`,
  ],
  [{ action: "record.exported" }, `Record exported: ${ADA}, “Reporting”`],
  [{ action: "constructor", user_email: null, client_name: null }, "Constructor: The service"],
])("%o is told as “%s”", (event, sentence) => {
  expect(sentenceOf(event)).toBe(sentence);
});

const read = (query: string) => readFilter(new URLSearchParams(query));

describe("the filter of the page's address", () => {
  test("is read as it was written", () => {
    const query = `what=sign_ins&who=${EVENT.user_id}&client=${EVENT.client_id}&from=2026-11-01&to=2026-11-30`;
    expect(pageQuery(read(query))).toBe(query);
  });

  test.each([
    "what=nonsense",
    "what=constructor",
    "who=me",
    "client=%27",
    "from=soon",
    "to=2026-02-31",
    "to=2026-1-1",
    "other=1",
  ])("passes over %s", (query) => {
    expect(pageQuery(read(query))).toBe("");
  });

  test("stands for all actions of a group, and for a period with its last day", () => {
    const query = new URLSearchParams(apiQuery(read("what=tokens&from=2026-11-20&to=2026-11-20")));
    expect(query.get("action")).toBe(actionsOf("tokens")?.join(","));
    const [from, until] = ["created_at[gte]", "created_at[lt]"].map((name) => new Date(query.get(name) ?? ""));
    expect([from?.getDate(), from?.getHours(), until?.getDate(), until?.getHours()]).toEqual([20, 0, 21, 0]);
  });

  test.each([
    ["Asia/Beirut", "2026-03-29", "2026-03-28T22:00:00.000Z", "2026-03-29T21:00:00.000Z"],
    ["America/Havana", "2026-11-01", "2026-11-01T04:00:00.000Z", "2026-11-02T05:00:00.000Z"],
  ])("in %s, whose clocks change at midnight, has all of %s", (zone, day, from, until) => {
    showTimesIn(zone);
    const query = new URLSearchParams(apiQuery(read(`from=${day}&to=${day}`)));
    showTimesIn(null);
    expect([query.get("created_at[gte]"), query.get("created_at[lt]")]).toEqual([from, until]);
  });
});

test.each([
  ["2026-11-20T09:59:31.000Z", "just now"],
  ["2026-11-20T10:00:05.000Z", "just now"],
  ["2026-11-20T09:58:00.000Z", "2 minutes ago"],
  ["2026-11-20T07:00:00.000Z", "3 hours ago"],
  ["2026-11-19T09:00:00.000Z", "yesterday"],
  ["2026-10-30T10:00:00.000Z", "21 days ago"],
])("%s is told as “%s”", (iso, words) => {
  expect(formatAgo(iso, Date.parse(EVENT.created_at))).toBe(words);
});

test("days follow the reader's calendar", () => {
  const now = new Date(2026, 10, 20, 0, 30);
  expect(formatDayName(new Date(2026, 10, 20, 0, 1).toISOString(), now)).toBe("Today");
  expect(formatDayName(new Date(2026, 10, 19, 23, 59).toISOString(), now)).toBe("Yesterday");
  expect(formatDayName(new Date(2026, 10, 18, 23, 59).toISOString(), now)).toBe("Wednesday, November 18, 2026");
});

test("an IPv4 address is shown without its IPv6 prefix", () => {
  expect(["::ffff:192.0.2.1", "192.0.2.1", "2001:db8::1"].map(plainAddress)).toEqual([
    "192.0.2.1",
    "192.0.2.1",
    "2001:db8::1",
  ]);
});
