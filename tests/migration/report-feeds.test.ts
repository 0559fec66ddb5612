import { afterAll, afterEach, beforeAll, expect, test } from "vitest";

import { transaction } from "@/lib/database/db";
import type { MigrationKey } from "@/lib/migration/status";
import { openClient } from "@/lib/salesforce/client";
import { type RunningOrg, startSandboxOrg } from "@/sandbox-org/start";
import { analyze, connect, reportOf, risksNamed } from "@/tests/migration/support/analyze-org";
import { finishedOf, issuesOf, workToTheEnd } from "@/tests/migration/support/run-migration";
import { startRun } from "@/tests/migration/support/within";

let org: RunningOrg;

beforeAll(async () => {
  org = await startSandboxOrg({ records: 1600, seed: 5 });
});
afterEach(() => org.setRules({ rules: [], access: {} }));
afterAll(() => org.stop());

async function runToTheEnd(key: MigrationKey) {
  const run = await transaction((tx) => startRun(tx, key));
  const client = openClient({ instanceUrl: org.instanceUrl, accessToken: org.accessToken, apiVersion: "67.0" });
  await workToTheEnd(run, client);
  return finishedOf(key);
}

const FEEDS = ["FeedItem", "FeedComment"];

test("an org without Chatter has no feeds, which is nothing to warn of", async () => {
  await org.setRules({ access: { hiddenObjects: FEEDS } });
  const key = await connect(org);
  await analyze(key);
  const report = await reportOf(key);
  expect(report.inventory.filter(({ object }) => FEEDS.includes(object))).toEqual([]);
  expect(risksNamed(report, "object_not_readable")).toEqual([]);
  const finished = await runToTheEnd(key);
  expect(finished.failure).toBeNull();
  expect(Object.keys(finished.lines)).not.toContain("FeedItem");
});

async function countIn(migration: MigrationKey) {
  return (await reportOf(migration)).inventory.find(({ object }) => object === "FeedItem")?.count;
}

test("posts about other records than cases are neither counted nor migrated", async () => {
  const first = await connect(org);
  await analyze(first);
  const before = await countIn(first);
  const client = openClient({ instanceUrl: org.instanceUrl, accessToken: org.accessToken, apiVersion: "67.0" });
  const { records } = await client
    .request(`${client.dataPath}/query?q=${encodeURIComponent("SELECT Id FROM Account LIMIT 1")}`)
    .then(({ text }) => JSON.parse(text) as { records: { Id: string }[] });
  const fields = { ParentId: records[0]?.Id ?? "", Type: "TextPost", Body: "about an account" };
  const [id = ""] = await org.mutate({ op: "insert", object: "FeedItem", fields, at: "2026-06-01T00:00:00Z" });
  const key = await connect(org);
  await analyze(key);
  expect(before).toBeGreaterThan(100);
  expect(await countIn(key)).toBe(before);
  const finished = await runToTheEnd(key);
  expect(finished.lines.FeedItem).toMatchObject({ source: before, status: "done" });
  expect(Object.keys(await issuesOf(key))).not.toContain(id);
});

test("without “View All Data”, feeds are read in pages of 1,000 and counted by their ids", async () => {
  const setPermission = async (allowed: boolean) => {
    const client = openClient({ instanceUrl: org.instanceUrl, accessToken: org.accessToken, apiVersion: "67.0" });
    const soql = encodeURIComponent("SELECT Id FROM UserPermissionAccess LIMIT 1");
    const { text } = await client.request(`${client.dataPath}/query?q=${soql}`);
    const [access] = (JSON.parse(text) as { records: { Id: string }[] }).records;
    await org.mutate({
      op: "update",
      object: "UserPermissionAccess",
      id: access?.Id ?? "",
      fields: { PermissionsViewAllData: allowed },
    });
  };
  const all = await connect(org);
  await analyze(all);
  const expected = await runToTheEnd(all);
  await setPermission(false);
  const key = await connect(org);
  await analyze(key);
  const finished = await runToTheEnd(key);
  await setPermission(true);
  expect(finished.failure).toBeNull();
  for (const feed of FEEDS) {
    const { source } = expected.lines[feed] ?? {};
    expect(finished.lines[feed]).toMatchObject({ source, status: "done", failed: 0 });
  }
});
