import { afterAll, afterEach, beforeAll, expect, test } from "vitest";

import { transaction } from "@/lib/database/db";
import type { MigrationKey } from "@/lib/migration/migration-schema";
import { openClient } from "@/lib/salesforce/client";
import { query } from "@/lib/salesforce/query";
import { countOf, recordAt } from "@/sandbox-org/generator/record-at";
import { type RunningOrg, startSandboxOrg } from "@/sandbox-org/start";
import { analyze, analyzeOrg, connect, reportOf, risksNamed } from "@/tests/migration/support/analyze-org";
import { finishedOf, issuesOf, workToTheEnd } from "@/tests/migration/support/run-migration";
import { startRun } from "@/tests/migration/support/within";
import { withoutPermission } from "@/tests/migration/support/without-permission";

const [RECORDS, SEED] = [700, 5];

/** The posts that the org has at first. */
const POSTS = Array.from({ length: countOf(SEED, RECORDS, "FeedItem").total }, (_, n) =>
  recordAt(SEED, RECORDS, "FeedItem", n),
).filter(({ IsDeleted }) => IsDeleted !== true).length;

let org: RunningOrg;

beforeAll(async () => {
  org = await startSandboxOrg({ records: RECORDS, seed: SEED });
});
afterEach(() => org.setRules({ rules: [], access: {} }));
afterAll(() => org.stop());

const clientOf = () => openClient({ instanceUrl: org.instanceUrl, accessToken: org.accessToken, apiVersion: "67.0" });

async function runToTheEnd(key: MigrationKey) {
  const run = await transaction((tx) => startRun(tx, key));
  await workToTheEnd(run, clientOf());
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

test("posts about other records than cases are neither counted nor migrated", async () => {
  const [{ Id: ParentId } = {}] = (await query(clientOf(), "SELECT Id FROM Account LIMIT 1")).records;
  const fields = { ParentId: String(ParentId), Type: "TextPost", Body: "about an account" };
  const [id = ""] = await org.mutate({ op: "insert", object: "FeedItem", fields, at: "2026-06-01T00:00:00Z" });
  const key = await connect(org);
  await analyze(key);
  expect(POSTS).toBeGreaterThan(40);
  expect((await reportOf(key)).inventory.find(({ object }) => object === "FeedItem")?.count).toBe(POSTS);
  const finished = await runToTheEnd(key);
  expect(finished.lines.FeedItem).toMatchObject({ source: POSTS, status: "done" });
  expect(Object.keys(await issuesOf(key))).not.toContain(id);
});

test("without “View All Data”, posts are counted by their ids, and a warning tells of replies", async () => {
  const { report, finished } = await withoutPermission(org, "ViewAllData", async () => {
    const key = await connect(org);
    await analyze(key);
    return { report: await reportOf(key), finished: await runToTheEnd(key) };
  });
  expect(risksNamed(report, "object_not_readable")).toMatchObject([
    {
      severity: "warning",
      object: "FeedComment",
      detail: expect.stringContaining("the replies to feed posts stay in Salesforce"),
      recommended_action: expect.stringMatching(/“View All Data”.*System Permissions/),
    },
  ]);
  expect(report.readiness.verdict).toBe("ready_with_warnings");
  const reason = expect.stringContaining("Give the user “View All Data”") as string;
  expect(report.inventory.find(({ object }) => object === "FeedComment")).toMatchObject({
    status: "not_supported",
    reason,
  });
  expect(finished).toMatchObject({ status: "completed", failure: null });
  expect(finished.lines.FeedItem).toMatchObject({ source: POSTS, status: "done", failed: 0 });
  expect(finished.lines).not.toHaveProperty("FeedComment");
});

test("a run whose user has lost “View All Data” fails at the replies, and says what Salesforce asks for", async () => {
  const key = await connect(org);
  await analyze(key);
  const { status, failure } = await withoutPermission(org, "ViewAllData", () => runToTheEnd(key));
  expect(status).toBe("failed");
  expect(failure?.detail).toContain("FeedComment requires the permission View All Data");
});

async function countNotices(): Promise<number> {
  return risksNamed(await analyzeOrg(org), "feed_notices")[0]?.count ?? 0;
}

test("a post that only says that a record was created is a notice, whatever its type is called", async () => {
  const before = await countNotices();
  const [{ Id: ParentId } = {}] = (await query(clientOf(), "SELECT Id FROM Case LIMIT 1")).records;
  for (const Type of ["CreatedRecordEvent", "CreateRecordEvent"])
    await org.mutate({ op: "insert", object: "FeedItem", fields: { ParentId: String(ParentId), Type } });
  expect(await countNotices()).toBe(before + 2);
});
