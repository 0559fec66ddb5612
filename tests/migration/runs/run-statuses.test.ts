import { expect, test } from "vitest";

import { transaction } from "@/lib/database/db";
import { configurationSchema } from "@/lib/migration/configuration/configuration-schema";
import { moveStatus, statusOf } from "@/lib/migration/status";
import { SalesforceError } from "@/lib/salesforce/errors";
import {
  createMigration,
  finishedOf,
  issuesOf,
  recordsOf,
  runMigration,
  workToTheEnd,
} from "@/tests/migration/support/run-migration";
import { ScriptedSource, sourceId, sourceRecord } from "@/tests/migration/support/scripted-source";
import { endWithFailure, findMigration, startRun, workSlice } from "@/tests/migration/support/within";
import { pool } from "@/tests/support/owner";

const TEN_YEARS = 10 * 365 * 86_400_000;

const accounts = (count: number) =>
  Array.from({ length: count }, (_, index) => sourceRecord("001", index + 1, { Name: `Account ${index + 1}` }));

/** Makes the source call `work` once, before its second page. */
function duringReading(source: ScriptedSource, work: () => void): void {
  let done = false;
  source.beforeQuery = (soql) => {
    if (done || !soql.includes("Id > '001")) return;
    done = true;
    work();
  };
}

test("an illegal move is refused with the present status", async () => {
  const key = await createMigration(["Account"]);
  await expect(moveStatus(pool(), key, "paused", {})).rejects.toMatchObject({
    code: "illegal_state",
    message: expect.stringContaining("`ready`"),
  });
  await runMigration(key, new ScriptedSource({ Account: accounts(1) }));
  await expect(moveStatus(pool(), key, "cancelled", {})).rejects.toMatchObject({
    code: "illegal_state",
    message: expect.stringContaining("`completed`"),
  });
});

test("a paused run cannot be started again, which would delete its checkpoints", async () => {
  const key = await createMigration(["Account"]);
  const run = await transaction((tx) => startRun(tx, key));
  await workSlice(run, async () => new ScriptedSource({ Account: accounts(3000) }), 0);
  await moveStatus(pool(), key, "paused", {});
  const before = await finishedOf(key);
  await expect(transaction((tx) => startRun(tx, key))).rejects.toMatchObject({
    code: "illegal_state",
    message: expect.stringContaining("status `paused`"),
  });
  expect(await finishedOf(key)).toEqual(before);
  expect(before.lines.Account?.created).toBeGreaterThan(0);
});

test.each(["ready", "completed", "completed_with_errors", "failed", "cancelled"])(
  "a migration that is %s can be run",
  async (status) => {
    const key = await createMigration(["Account"]);
    await pool().query(`UPDATE migrations SET status = $2::migration_status WHERE id = $1`, [key.migrationId, status]);
    expect(await runMigration(key, new ScriptedSource({ Account: accounts(1) }))).toMatchObject({
      status: "completed",
    });
  },
);

test("one of two concurrent starts is refused", async () => {
  const key = await createMigration(["Account"]);
  const starts = await Promise.allSettled([
    transaction((tx) => startRun(tx, key)),
    transaction((tx) => startRun(tx, key)),
  ]);
  expect(starts.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
});

test("a migration of another organization is not found", async () => {
  const key = await createMigration(["Account"]);
  const other = await createMigration(["Account"]);
  const foreign = { organizationId: other.organizationId, migrationId: key.migrationId };
  await expect(transaction((tx) => startRun(tx, foreign))).rejects.toMatchObject({ code: "not_found" });
});

test("selecting nothing, or an unreadable object, is refused before anything changes", async () => {
  const key = await createMigration(["Account"]);
  const chosen = (objects: object) => transaction((tx) => startRun(tx, key, configurationSchema.parse({ objects })));
  await expect(chosen({ Account: { selected: false, fields: {}, values: {} } })).rejects.toMatchObject({
    code: "invalid_request",
  });
  await expect(chosen({ Case: { selected: true, fields: {}, values: {} } })).rejects.toMatchObject({
    code: "invalid_request",
  });
  expect(await statusOf(pool(), key)).toBe("ready");
});

test("slices of zero duration reach the same end, one page each", async () => {
  const key = await createMigration(["Account"]);
  const finished = await runMigration(key, new ScriptedSource({ Account: accounts(1700) }), { milliseconds: 0 });
  expect(finished).toMatchObject({ status: "completed", lines: { Account: { source: 1700, created: 1700 } } });
});

test("a cancelled run writes nothing more", async () => {
  const key = await createMigration(["Account"]);
  const source = new ScriptedSource({ Account: accounts(3000) });
  const run = await transaction((tx) => startRun(tx, key));
  expect(await workSlice(run, async () => source, 0)).toBe("more");
  await moveStatus(pool(), key, "cancelled", {});
  expect(await workSlice(run, async () => source, 60_000)).toBe("ended");
  const finished = await finishedOf(key);
  expect(finished.status).toBe("cancelled");
  expect(Object.keys(await recordsOf("accounts", key.organizationId))).toHaveLength(
    finished.lines.Account?.created ?? -1,
  );
});

test("two workers on the same run count every record once", async () => {
  const key = await createMigration(["Account"]);
  const records = accounts(3000);
  const run = await transaction((tx) => startRun(tx, key));
  await Promise.all([1, 2].map(() => workToTheEnd(run, new ScriptedSource({ Account: records }), 5)));
  expect(await finishedOf(key)).toMatchObject({
    status: "completed",
    lines: { Account: { source: 3000, created: 3000, updated: 0, unchanged: 0 } },
  });
});

test("records that are created or deleted in the source during the run do not change its sums", async () => {
  const key = await createMigration(["Account"]);
  const records = accounts(1200);
  const source = new ScriptedSource({ Account: records });
  duringReading(source, () => {
    records.push(sourceRecord("001", 9000, { Name: "Late", CreatedDate: "2026-06-01T12:00:00.000+0000" }));
    for (const place of [10, 1190])
      Object.assign(records[place] ?? {}, { IsDeleted: true, SystemModstamp: "2026-06-01T12:00:05.000+0000" });
  });
  const finished = await runMigration(key, source);
  expect(finished).toMatchObject({
    status: "completed",
    lines: { Account: { source: 1200, created: 1199, skipped: 1 } },
  });
  expect(await issuesOf(key)).toMatchObject({ [sourceId("001", 1191)]: { code: "deleted_in_source" } });
});

test("a migration whose sum differs from the source fails and names the difference", async () => {
  const key = await createMigration(["Account", "Contact"]);
  const records = accounts(1200);
  const source = new ScriptedSource({ Account: records, Contact: [sourceRecord("003", 1, { LastName: "L" })] });
  // Salesforce counts one more than can be read.
  duringReading(source, () => records.push({ ...records[0] }));
  const finished = await runMigration(key, source);
  expect(finished.status).toBe("failed");
  expect(finished.failure).toMatchObject({
    code: "not_reconciled",
    detail: expect.stringContaining("Accounts: Salesforce has 1201, 1200 are accounted for"),
  });
  expect(finished.lines).toMatchObject({ Account: { status: "failed" }, Contact: { status: "done" } });
});

test("a refused token pauses the run with a sentence, and it goes on where it stopped", async () => {
  const key = await createMigration(["Account"]);
  const source = new ScriptedSource({ Account: accounts(1200) });
  duringReading(source, () => {
    throw new SalesforceError("source_token_refused", "Salesforce refused the access token.", { status: 401 });
  });
  const paused = await runMigration(key, source);
  expect(paused).toMatchObject({
    status: "paused",
    failure: { code: "source_token_refused", remedy: expect.stringContaining("goes on by itself where it stopped") },
  });
  const kept = paused.lines.Account?.created ?? 0;
  expect(kept).toBeGreaterThan(0);
  await moveStatus(pool(), key, "running", { failure: null }, { from: ["paused"] });
  await workToTheEnd({ ...key, runNumber: 1 }, source);
  expect(await finishedOf(key)).toMatchObject({
    status: "completed",
    failure: null,
    lines: { Account: { source: 1200, created: 1200, unchanged: 0 } },
  });
});

test("a transient error is thrown, and the run goes on from its checkpoint", async () => {
  const key = await createMigration(["Account"]);
  const source = new ScriptedSource({ Account: accounts(1200) });
  duringReading(source, () => {
    throw new SalesforceError("source_error", "The Salesforce org is not available at the moment.", {
      status: 503,
      transient: true,
    });
  });
  const run = await transaction((tx) => startRun(tx, key));
  await expect(workToTheEnd(run, source)).rejects.toMatchObject({ transient: true });
  const waiting = await findMigration(key.organizationId, key.migrationId);
  expect(waiting).toMatchObject({
    status: "running",
    failure: null,
    waiting: { reason: "The Salesforce org is not available at the moment." },
  });
  expect(Date.now() - Date.parse(waiting.waiting?.since ?? "")).toBeLessThan(60_000);
  await workToTheEnd(run, source);
  expect(await findMigration(key.organizationId, key.migrationId)).toMatchObject({
    status: "completed",
    failure: null,
    waiting: null,
  });
  expect(await finishedOf(key)).toMatchObject({
    status: "completed",
    lines: { Account: { created: 1200, unchanged: 0 } },
  });
});

test.each([
  ["source_unreachable", "acme.my.salesforce.com refuses connections."],
  ["source_limit_exceeded", "Too many long requests run in the Salesforce org at once."],
] as const)("a source that fails until the timeout ends the run; each page restarts it: %s", async (code, detail) => {
  const key = await createMigration(["Account"]);
  const source = new ScriptedSource({ Account: accounts(1200) });
  let isAway = true;
  source.beforeQuery = () => {
    if (isAway) throw new SalesforceError(code, detail, { transient: true });
  };
  const run = await transaction((tx) => startRun(tx, key));
  const sinceLongAgo = () =>
    pool().query(`UPDATE migrations SET failure = failure || '{"since": "2026-01-01T00:00:00Z"}' WHERE id = $1`, [
      key.migrationId,
    ]);
  const slice = () => workSlice(run, async () => source, 0);

  await expect(slice()).rejects.toMatchObject({ transient: true });
  await sinceLongAgo();
  isAway = false;
  expect(await slice()).toBe("more");
  isAway = true;
  await expect(slice()).rejects.toMatchObject({ transient: true });
  await sinceLongAgo();
  expect(await slice()).toBe("ended");
  expect(await findMigration(key.organizationId, key.migrationId)).toMatchObject({
    status: "failed",
    waiting: null,
    failure: { code, remedy: expect.stringContaining("nothing is imported twice") },
  });
});

test("a query that times out is repeated for fewer records, and all records are imported", async () => {
  const key = await createMigration(["Account"]);
  const source = new ScriptedSource({ Account: accounts(1200) });
  source.beforeQuery = (soql) => {
    if (Number(/LIMIT (\d+)/.exec(soql)?.[1]) > 150)
      throw new SalesforceError("source_error", "Slow.", { status: 400, errorCode: "QUERY_TIMEOUT" });
  };
  expect(await runMigration(key, source)).toMatchObject({ status: "completed", lines: { Account: { created: 1200 } } });
});

test("a count that times out is the exact sum of the counts of its halves", async () => {
  const key = await createMigration(["Account"]);
  const moments = [
    "1970-01-01T00:00:00",
    "1998-03-15T11:59:59",
    "1998-03-15T12:00:00",
    "2012-07-01T00:00:00",
    "2026-05-31T23:59:59",
  ];
  const Account = moments.map((moment, index) =>
    sourceRecord("001", index + 1, { Name: "A", CreatedDate: `${moment}.000+0000` }),
  );
  const source = new ScriptedSource({ Account });
  let counts = 0;
  source.beforeQuery = (soql) => {
    if (!soql.startsWith("SELECT COUNT()")) return;
    counts += 1;
    const ends = [...soql.matchAll(/CreatedDate < ([\d:TZ-]+)/g)].map(([, moment]) => Date.parse(moment ?? ""));
    const start = Date.parse(/CreatedDate >= ([\d:TZ-]+)/.exec(soql)?.[1] ?? "1970-01-01");
    if (Math.min(...ends) - start > TEN_YEARS)
      throw new SalesforceError("source_error", "Slow.", { status: 400, errorCode: "QUERY_TIMEOUT" });
  };
  expect(await runMigration(key, source)).toMatchObject({
    status: "completed",
    lines: { Account: { source: 5, created: 5 } },
  });
  expect(counts).toBeGreaterThan(8);
});

test("a defect ends the run without details, and a run that was stopped stays unchanged", async () => {
  const key = await createMigration(["Account"]);
  const run = await transaction((tx) => startRun(tx, key));
  await endWithFailure(run, new TypeError("x is not a function"), null);
  const failed = await finishedOf(key);
  expect(failed).toMatchObject({ status: "failed", failure: { code: "internal_error" } });
  expect(JSON.stringify(failed.failure)).not.toContain("x is not");
  await runMigration(key, new ScriptedSource({ Account: accounts(1) }));
  await endWithFailure(run, new TypeError("late"), null);
  expect(await statusOf(pool(), key)).toBe("completed");
});
