import { afterAll, afterEach, beforeAll, expect, test } from "vitest";

import { putConfiguration } from "@/lib/migration/configuration/configure-migration";
import { startMigration } from "@/lib/migration/runs/start-migration";
import { execute } from "@/lib/operation";
import { analyze, analyzeOrg, connect, reportOf, risksNamed } from "@/tests/migration/support/analyze-org";
import { withoutPermission } from "@/tests/migration/support/without-permission";
import { type RunningOrg, startSandboxOrg } from "@/sandbox-org/start";
import { createContext } from "@/tests/support/factories";

let org: RunningOrg;

beforeAll(async () => {
  org = await startSandboxOrg({ records: 300 });
});
afterAll(() => org.stop());
afterEach(() => org.setRules({ rules: [], access: {} }));

test("without access to Case the report says what to do, and cases and comments cannot be selected", async () => {
  await org.setRules({ access: { hiddenObjects: ["Case"] } });
  const key = await connect(org);
  await analyze(key);
  const report = await reportOf(key);
  const entry = report.inventory.find(({ object }) => object === "Case");
  expect(entry).toMatchObject({
    status: "not_supported",
    count: null,
    reason: expect.stringContaining("Give the user “Read” and “View All” for Cases"),
  });
  expect(report.inventory.find(({ object }) => object === "CaseComment")).toMatchObject({ status: "not_supported" });
  const [risk] = risksNamed(report, "object_not_readable");
  expect(risk).toMatchObject({
    severity: "blocking",
    object: "Case",
    recommended_action: expect.stringContaining("View All"),
  });
  expect(report.readiness.verdict).toBe("not_ready");
  expect(report.readiness.score).toBeLessThan(50);

  const context = await createContext({ organizationId: key.organizationId });
  const selecting = execute(putConfiguration, context, {
    migration_id: key.migrationId,
    objects: { Case: { selected: true } },
  });
  const detail = expect.stringMatching(
    /^Case cannot be selected\..*“View All” for Cases.*analyze again.*deselect it\.$/,
  ) as string;
  await expect(selecting).rejects.toMatchObject({
    code: "invalid_request",
    errors: [{ pointer: "/objects/Case/selected", code: "not_selectable", detail }],
  });
  const running = await execute(startMigration, context, { migration_id: key.migrationId });
  expect(running).toMatchObject({ status: "running" });
  const objects = (running as { objects: { object: string }[] }).objects.map(({ object }) => object);
  expect(objects).toEqual(["Account", "Contact", "EmailMessage", "Task", "Event"]);
});

test("a user who may read none of the objects cannot connect", async () => {
  await org.setRules({
    access: { hiddenObjects: ["Account", "Contact", "Case", "CaseComment", "EmailMessage", "Task", "Event"] },
  });
  await expect(connect(org)).rejects.toMatchObject({
    code: "source_access_denied",
    message: expect.stringMatching(/can read none of Accounts, Contacts, Cases,.*“View All”.*Permission Sets/),
  });
});

test("hidden fields are named, unless not every org has them: an activity's account, a call's length", async () => {
  const hiddenFields = {
    Contact: ["Email", "Phone", "AccountId"],
    Case: ["AccountId", "OwnerId"],
    Task: ["WhoId", "WhatId", "OwnerId", "AccountId", "CallDurationInSeconds"],
    Event: ["AccountId"],
  };
  await org.setRules({ access: { hiddenFields } });
  const risks = risksNamed(await analyzeOrg(org), "fields_not_readable");
  expect(risks).toMatchObject([
    {
      object: "Contact",
      severity: "warning",
      detail: expect.stringMatching(/^AccountId, Email, Phone cannot be read/),
    },
    { object: "Case", detail: expect.stringMatching(/^AccountId, OwnerId cannot be read/) },
    { object: "Task", detail: expect.stringMatching(/^WhoId, WhatId, OwnerId cannot be read/) },
  ]);
});

test("without access to setup there are no automations in the report, and objects are counted singly", async () => {
  await org.setRules([
    { path: "/tooling/", preset: "INSUFFICIENT_ACCESS" },
    { object: "FlowDefinitionView", preset: "INSUFFICIENT_ACCESS" },
    { path: "/limits", preset: "INSUFFICIENT_ACCESS" },
  ]);
  const report = await analyzeOrg(org);
  const kinds = { workflows: null, process_builder_flows: null, flows: null, triggers: null, validation_rules: null };
  expect(report.automations).toEqual({ complexity: null, ...kinds });
  expect(report.inventory.find(({ object }) => object === "Project__c")?.count).toBeGreaterThan(0);
  expect(report.estimate.api_calls_remaining).toBeGreaterThan(0);
});

test("without “Modify All Data” drafts and classic attachments are warned of, which Salesforce hides", async () => {
  const expected = risksNamed(await analyzeOrg(org), "emails_hidden_in_part");
  const report = await withoutPermission(org, "ModifyAllData", () => analyzeOrg(org));
  expect(expected).toEqual([]);
  expect(risksNamed(report, "emails_hidden_in_part")).toMatchObject([
    { severity: "warning", object: "EmailMessage", recommended_action: expect.stringContaining("“Modify All Data”") },
  ]);
  expect(report.estimate.files?.count).toBeGreaterThan(0);
});

test("without “Query All Files” the risk about files says that there may be more than the user sees", async () => {
  const report = await withoutPermission(org, "QueryAllFiles", () => analyzeOrg(org));
  const [risk] = risksNamed(report, "files");
  expect(risk).toMatchObject({
    detail: expect.stringMatching(/: at least \d+ attachments and files.*“Query All Files”.*there may be more\./),
    recommended_action: expect.stringMatching(/^Give the user “Query All Files”/),
  });
});

test("an org that does not tell permissions is analyzed all the same, and its files count as a part", async () => {
  const body = [{ errorCode: "INVALID_FIELD", message: "No such column" }];
  await org.setRules([{ object: "UserPermissionAccess", status: 400, body }]);
  const report = await analyzeOrg(org);
  expect(risksNamed(report, "files")[0]?.detail).toContain("at least ");
  const lacking = ["user_sees_a_part", "emails_hidden_in_part"].flatMap((code) => risksNamed(report, code));
  expect(lacking).toEqual([]);
});

test("values that the org cannot count are listed nevertheless", async () => {
  await org.setRules([{ soql: "GROUP BY", preset: "QUERY_TIMEOUT" }]);
  const report = await analyzeOrg(org);
  const status = report.inventory
    .find(({ object }) => object === "Case")
    ?.fields.find(({ source }) => source === "Status");
  expect(status?.values?.map(({ source }) => source)).toContain("New");
  expect(status?.values?.every(({ count }) => count === null)).toBe(true);
});

test("too few API requests left are a warning: the run waits for more", async () => {
  const poor = await startSandboxOrg({ records: 300, dailyLimit: 140 });
  try {
    const report = await analyzeOrg(poor);
    expect(risksNamed(report, "api_limit")).toMatchObject([
      { severity: "warning", recommended_action: expect.stringContaining("24 hours") },
    ]);
  } finally {
    await poor.stop();
  }
});
