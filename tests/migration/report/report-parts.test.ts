import { afterAll, beforeAll, expect, test } from "vitest";

import { readinessOf } from "@/lib/migration/report/readiness";
import { compareVersions } from "@/lib/migration/report/api-versions";
import type { AutomationItem, Report, Risk } from "@/lib/migration/report/report-schema";
import { WEBHOOK_EVENTS } from "@/lib/webhooks/event-types";
import { openClient } from "@/lib/salesforce/client";
import { query } from "@/lib/salesforce/query";
import { analyze, connect, reportOf } from "@/tests/migration/support/analyze-org";
import { FLOWS } from "@/sandbox-org/objects/automation";
import { createMigration, runMigration } from "@/tests/migration/support/run-migration";
import { type RunningOrg, startSandboxOrg } from "@/sandbox-org/start";
import { pool } from "@/tests/support/owner";

const KINDS_OF_FLOWS = new Set<string>(["flows", "process_builder_flows"]);
const DAILY = 50_000;

let org: RunningOrg;
let report: Report;

beforeAll(async () => {
  org = await startSandboxOrg({ records: 2000, dailyLimit: DAILY });
  const key = await connect(org);
  await analyze(key);
  report = await reportOf(key);
});
afterAll(() => org.stop());

function automation(name: string): AutomationItem | undefined {
  return report.automation_list?.data.find((item) => item.name === name);
}

test("every flow and process of the org is listed by its name, active or not", () => {
  const listed = report.automation_list?.data.filter(({ kind }) => KINDS_OF_FLOWS.has(kind)) ?? [];
  const expected = FLOWS.map(({ label, active, object }) => [label, active, object ?? null]);
  expect(listed.map(({ name, active, object }) => [name, active, object]).toSorted()).toEqual(expected.toSorted());
});

test("the list has as many automations of each kind as are counted, the active ones first", () => {
  const { complexity: _complexity, ...kinds } = report.automations;
  const { data = [], more } = report.automation_list ?? {};
  for (const [kind, counts] of Object.entries(kinds)) {
    const items = data.filter((item) => item.kind === kind);
    expect([kind, items.filter(({ active }) => active).length, items.length]).toEqual([
      kind,
      counts?.active,
      counts?.total,
    ]);
  }
  expect(more).toBe(0);
  const order = data.map(({ active }) => Number(active));
  expect(order).toEqual(order.toSorted((a, b) => b - a));
});

test.each<[name: string, object: string | null, complexity: string, events: string[]]>([
  ["Case: set priority", "Case", "low", ["case.created"]],
  ["Case: notify owner", "Case", "medium", ["case.created", "case.updated"]],
  ["Account: sync to ERP", "Account", "medium", ["account.updated"]],
  ["Nightly clean-up", "Task", "medium", []],
  [
    "Opportunity won",
    "Opportunity",
    "medium",
    ["opportunity.stage_changed", "opportunity.created", "opportunity.updated"],
  ],
  ["Case escalation", "Case", "none", []],
  ["CaseTrigger", "Case", "high", ["case.created", "case.updated", "case.deleted"]],
  ["AccountTrigger", "Account", "medium", ["account.created", "account.updated"]],
  ["ProjectTrigger", "Project__c", "low", []],
  ["VehicleTrigger", "fleet__Vehicle__c", "medium", []],
  ["Project: remind", "Project__c", "low", []],
  ["Email_or_phone", "Contact", "low", []],
])("%s works on %s, is of %s complexity, and can be replaced by webhooks on %j", (name, object, complexity, events) => {
  expect(automation(name)).toMatchObject({ object, complexity, events, action: expect.stringMatching(/\.$/) });
});

test("webhooks offer every event that the report recommends", () => {
  const events = report.automation_list?.data.flatMap((item) => item.events) ?? [];
  expect(events.length).toBeGreaterThan(5);
  expect(events.filter((event) => !(WEBHOOK_EVENTS as readonly string[]).includes(event))).toEqual([]);
});

test("the files of the org are counted with all their bytes, as their owners' risk says", async () => {
  const attachments = await recordsInOrg("Attachment", ["BodyLength"]);
  const documents = await recordsInOrg("ContentDocument", ["ContentSize"]);
  const all = [
    ...attachments.map(({ BodyLength }) => Number(BodyLength)),
    ...documents.map(({ ContentSize }) => Number(ContentSize)),
  ];
  expect(all.length).toBeGreaterThan(50);
  const { files } = report.estimate;
  expect(files).toMatchObject({
    count: all.length,
    bytes: all.reduce((sum, size) => sum + size, 0),
    measured: "counted",
  });
  expect(files?.api_calls).toBe(all.length + 2 * Math.ceil(report.estimate.imported / 200));
  expect(files?.seconds).toBeGreaterThan(0);
  const risk = report.risks.find(({ code }) => code === "files");
  expect(risk).toMatchObject({
    count: null,
    detail: expect.stringContaining(`${all.length} attachments and files`),
  });
});

/** All records of an object that are not deleted. */
async function recordsInOrg(object: string, fields: readonly string[]): Promise<Record<string, string | null>[]> {
  const client = openClient({ instanceUrl: org.instanceUrl, accessToken: org.accessToken, apiVersion: "67.0" });
  const soql = `SELECT Id, ${fields.join(", ")} FROM ${object} WHERE IsDeleted = false`;
  return (await query(client, soql, { all: true })).records as Record<string, string | null>[];
}

/** The groups of equal records, by comparing every pair: each record with the first one of its group. */
function groupsOf(
  records: readonly Record<string, string | null>[],
  isSame: (one: Record<string, string | null>, other: Record<string, string | null>) => boolean,
): Map<string, string> {
  const first = new Map(records.map(({ Id }) => [String(Id), String(Id)]));
  for (const one of records)
    for (const other of records) {
      const [from, to] = [first.get(String(other.Id)), first.get(String(one.Id))].toSorted().toReversed();
      if (from !== to && isSame(one, other))
        for (const [id, group] of first) if (group === from) first.set(id, String(to));
    }
  return first;
}

const agree = (...pairs: [string | null | undefined, string | null | undefined][]) =>
  pairs.every(([one, other]) => Boolean(one) && one?.toLowerCase() === other?.toLowerCase());

const digits = (phone: string | null | undefined) => phone?.replaceAll(/\D/g, "");

/** A text without a dot, such as "n/a", is no host. */
function hostOf(website: string | null | undefined): string | null {
  const [, host] = /^(?:[a-z]+:\/\/)?(?:www\.)?([^/?#]+\.[^/?#]+)/i.exec(website ?? "") ?? [];
  return host ?? null;
}

function counted(groups: Map<string, string>) {
  const sizes = [...Map.groupBy(groups.values(), (group) => group).values()].map((group) => group.length);
  const many = sizes.filter((size) => size > 1);
  return { clusters: many.length, duplicates: many.reduce((sum, size) => sum + size - 1, 0) };
}

test("duplicates are counted as by comparing every pair, and a run with these rules finds the same", async () => {
  const accounts = await recordsInOrg("Account", ["Name", "Phone", "Website"]);
  const contacts = await recordsInOrg("Contact", ["FirstName", "LastName", "Email", "AccountId"]);
  const companies = groupsOf(
    accounts,
    (one, other) =>
      agree([hostOf(one.Website), hostOf(other.Website)]) ||
      agree([one.Name, other.Name], [digits(one.Phone), digits(other.Phone)]),
  );
  const companyOf = ({ AccountId: id }: Record<string, string | null>) => companies.get(id ?? "") ?? id;
  const people = groupsOf(
    contacts,
    (one, other) =>
      agree([one.Email, other.Email]) ||
      agree([one.FirstName, other.FirstName], [one.LastName, other.LastName], [companyOf(one), companyOf(other)]),
  );
  const expected = [
    { object: "Account", records: accounts.length, of: accounts.length, ...counted(companies) },
    { object: "Contact", records: contacts.length, of: contacts.length, ...counted(people) },
  ];
  expect(expected.every(({ duplicates }) => duplicates > 0)).toBe(true);
  const found = report.quality?.duplicates ?? [];
  expect(found).toMatchObject(
    expected.map((one) => ({ ...one, measured: "searched", rules_from: "suggested", not_counted_because: null })),
  );
  const objects = Object.fromEntries(found.map(({ object, rules }) => [object, { duplicates: { rules } }]));
  const client = openClient({ instanceUrl: org.instanceUrl, accessToken: org.accessToken, apiVersion: "67.0" });
  const imported = await createMigration(["Account", "Contact"]);
  await runMigration(imported, client, { configuration: { objects } });
  const { rows } = await pool().query(
    `SELECT object, clusters, duplicates FROM duplicate_searches WHERE migration_id = $1 AND purpose = 'run'
     ORDER BY object`,
    [imported.migrationId],
  );
  expect(rows).toEqual(expected.map(({ object, clusters, duplicates }) => ({ object, clusters, duplicates })));
});

test("orphans are counted as by looking each one up", async () => {
  const found = report.quality?.orphans.data ?? [];
  const targets = { accounts: "Account", contacts: "Contact", cases: "Case" };
  const simple = found.filter(({ object }) => ["Account", "Contact", "Case"].includes(object));
  expect(simple.map(({ missing }) => missing)).toContain(2);
  for (const { object, field, target, records, missing } of simple) {
    const ids = new Set((await recordsInOrg(targets[target as "accounts"], ["CreatedDate"])).map(({ Id }) => Id));
    const linked = (await recordsInOrg(object, [field])).filter((record) => record[field]);
    const lost = linked.filter((record) => !ids.has(record[field] ?? ""));
    expect([object, field, records, missing]).toEqual([object, field, linked.length, lost.length]);
  }
});

test("the points of the parts are the score, and each warning is a part", () => {
  const { parts = [], score, formula } = report.readiness;
  expect(parts.reduce((sum, { points }) => sum + points, 0)).toBe(score);
  const warnings = report.risks.filter(({ severity }) => severity === "warning");
  expect(parts.slice(1).map(({ code, points }) => [code, points])).toEqual(
    warnings.map(({ code }, index) => [code, Math.max(-6, Math.min(0, 6 * index - 45))]),
  );
  expect(formula).toContain("100, less 6 for each warning");
});

const risk = (severity: Risk["severity"]): Risk => ({
  severity,
  code: severity,
  object: null,
  count: null,
  title: severity,
  detail: "",
  recommended_action: "",
});

test.each([
  [0, 0, 100],
  [0, 2, 88],
  [0, 20, 55],
  [1, 0, 45],
  [1, 5, 40],
  [2, 20, 0],
])(
  "%d blocking risks and %d warnings make a score of %d, which is the sum of its parts",
  (blocking, warnings, score) => {
    const risks = [...Array(blocking).fill(risk("blocking")), ...Array(warnings).fill(risk("warning"))] as Risk[];
    const readiness = readinessOf(risks, report.estimate, []);
    expect(readiness.score).toBe(score);
    expect(readiness.parts?.reduce((sum, { points }) => sum + points, 0)).toBe(score);
  },
);

test("the API budget adds up, and compares the requests needed with those left of the day", () => {
  const { budget, timeline, api_calls: calls, api_calls_remaining: left } = report.estimate;
  const ofObjects = timeline.map((line) => line.api_calls ?? { rest: 0, bulk: 0 });
  const around = calls - ofObjects.reduce((sum, { rest }) => sum + rest, 0);
  expect(around).toBeGreaterThan(0);
  expect(budget).toEqual({
    daily: DAILY,
    left,
    rest: calls,
    bulk: ofObjects.reduce((sum, { bulk }) => sum + bulk, around),
    least: ofObjects.reduce((sum, { rest, bulk }) => sum + Math.min(rest, bulk), around),
    verdict: "enough",
  });
});

test("the timeline says at which speed the sample was read, and what is assumed", () => {
  for (const { records, seconds, speed } of report.estimate.timeline) {
    expect(speed?.sampled_records).toBe(Math.min(200, records));
    expect(speed?.read_per_second).toBe(
      Math.round((1000 * Math.min(200, records)) / Math.max(1, speed?.sampled_milliseconds ?? 0)),
    );
    expect(seconds).toBeGreaterThanOrEqual(0);
  }
});

test("the versions of the API are those of the org and ours", () => {
  expect(report.api_versions).toMatchObject({
    used: "67.0",
    org: { oldest: "60.0", newest: "67.0" },
    ours: { oldest: "47.0", newest: "67.0" },
    retired_up_to: "30.0",
    verdict: "current",
  });
});

test.each([
  [67, [60, 67], "current"],
  [67, [60, 68], "behind"],
  [40, [31, 40], "retiring"],
  [30, [20, 30], "retired"],
  [67, null, "unknown"],
] as const)("version %d against %j is %s", (used, offered, verdict) => {
  expect(compareVersions(used, offered)).toMatchObject({ verdict, note: expect.stringMatching(/\.$/) });
});
