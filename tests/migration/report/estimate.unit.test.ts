import { expect, test } from "vitest";

import { chooseApi } from "@/lib/migration/pipeline/read/choose-api";
import { estimateRun } from "@/lib/migration/report/estimate";
import type { FieldReport } from "@/lib/migration/report/report-schema";

type Found = Parameters<typeof estimateRun>[0];

function field(source: string, type: string): FieldReport {
  return { source, label: source, type, custom: false, target: null, confidence: "custom", note: null, samples: [] };
}

function counted(name: string, count: number) {
  return { name, label: name, custom: false, count, readable: true };
}

/** An org of short accounts and some cases, whose small requests take a tenth of a second. */
function orgOf(accounts: number, changes: Partial<Found> = {}, accountFields = [field("Name", "string")]): Found {
  const sample = { records: 200, milliseconds: 300, characters: 100_000 };
  return {
    survey: {
      org: { id: "", name: "", ext_instance_url: "", api_version: "67.0", is_sandbox: true },
      analyzedAs: { user_id: "", username: "" },
      objects: [counted("Account", accounts), counted("Case", 400)],
      latency: 100,
    },
    mappings: { Account: { fields: accountFields, sample }, Case: { fields: [], sample } },
    leftOut: {},
    callsRemaining: 90_000,
    callsDaily: 100_000,
    bulkJobsRemaining: 10_000,
    ...changes,
  };
}

async function accountsOf(found: Found) {
  const { timeline, api_calls: calls, budget } = await estimateRun(found);
  return { ...timeline[0], total: calls, others: (timeline[1]?.api_calls?.rest ?? 0) + 6, budget };
}

test("a large object is planned by the Bulk API, and the total has its requests", async () => {
  const line = await accountsOf(orgOf(1_200_000));
  // 120 pages of 10,000 records, 3 jobs of 12 requests, 6 around them.
  expect(line).toMatchObject({ api: "bulk", api_calls: { rest: 606, bulk: 162 } });
  expect(line.total).toBe(162 + line.others);
  expect(line.reason).toContain("1,200,000");
});

test("a small object is planned over REST, as is each if no job of the Bulk API is left", async () => {
  const small = await accountsOf(orgOf(5000));
  expect(small).toMatchObject({ api: "rest", api_calls: { rest: 9 } });
  expect(small.total).toBe(9 + small.others);
  const without = await accountsOf(orgOf(1_200_000, { bulkJobsRemaining: 0 }));
  expect(without).toMatchObject({ api: "rest", total: 606 + without.others });
  expect(without.reason).toContain("no jobs");
});

test("a field that the Bulk API cannot return, and few requests that are left, change what is planned", async () => {
  const held = await accountsOf(orgOf(1_200_000, {}, [field("Blob__c", "complexvalue")]));
  // What only REST can read needs no fewer requests by the Bulk API: today's 90,000 do, 500 would not.
  expect(held).toMatchObject({ api: "rest", api_calls: { rest: 606, bulk: 606 }, budget: { verdict: "enough" } });
  const few = orgOf(1_200_000, { callsRemaining: 500 }, [field("Blob__c", "complexvalue")]);
  expect((await accountsOf(few)).budget?.verdict).toBe("not_today");
  expect(held.reason).toContain("Blob__c");
  expect(await accountsOf(orgOf(20_000))).toMatchObject({ api: "rest" });
  expect(await accountsOf(orgOf(20_000, { callsRemaining: 50 }))).toMatchObject({ api: "bulk" });
});

/** The requests that reading 100,050 e-mails over REST takes, of which a sample of 200 has so many characters. */
async function callsForEmails(characters: number): Promise<number | undefined> {
  const sample = { records: 200, milliseconds: 300, characters };
  const found = orgOf(0, { mappings: { EmailMessage: { fields: [field("TextBody", "textarea")], sample } } });
  const objects = [counted("Case", 400), counted("EmailMessage", 100_050)];
  const { timeline } = await estimateRun({ ...found, survey: { ...found.survey, objects } });
  return timeline[0]?.api_calls?.rest;
}

test("each page takes lookups of its own, also a short page of long e-mails", async () => {
  // 51 pages, of which the last is short, each with four lookups of at most 400; 6 requests around them.
  expect(await callsForEmails(100_000)).toBe(51 + 50 * 4 * 5 + 4 + 6);
  // 1,001 pages of a hundred e-mails of 30,000 characters.
  expect(await callsForEmails(200 * 30_000)).toBe(1001 + 1001 * 4 + 6);
});

test("the plan is what the run then chooses, for the same facts", async () => {
  for (const records of [1, 1999, 2000, 29_999, 30_000, 1_000_000])
    for (const requests of [null, 10, 1000, 90_000])
      for (const bulkJobs of [null, 0, 10]) {
        const line = await accountsOf(orgOf(records, { callsRemaining: requests, bulkJobsRemaining: bulkJobs }));
        const facts = { setting: "auto" as const, records, unsupportedField: null, hasPageLimit: false };
        const { api, reason } = await chooseApi({ ...facts, limits: () => ({ requests, bulkJobs }) });
        expect({ records, api: line.api, reason: line.reason }).toEqual({ records, api, reason });
      }
});

test("an object of which Salesforce limits how many can be read at once is never read by a job", async () => {
  const facts = { setting: "bulk" as const, records: 1_000_000, unsupportedField: null, hasPageLimit: true };
  const limits = { requests: 90_000, bulkJobs: 10 };
  expect(await chooseApi({ ...facts, limits: () => limits })).toMatchObject({ api: "rest" });
});

test("an object takes as long as the slower of reading and storing it, and says what was measured", async () => {
  const sample = { records: 200, milliseconds: 300, characters: 100_000 };
  const lineFor = async (milliseconds?: number | null) => {
    const storing = typeof milliseconds === "number" ? { records: 200, milliseconds } : null;
    const measured = milliseconds === undefined ? sample : { ...sample, storing };
    const mappings = { Account: { fields: [field("Name", "string")], sample: measured } };
    return (await estimateRun(orgOf(20_000, { mappings }))).timeline[0];
  };
  // Reading: ten pages of 0.1 s, and 1 ms per record.
  expect(await lineFor(20)).toMatchObject({ seconds: 21, speed: { stored_per_second: 10_000, storing: "measured" } });
  // Storing: 2 ms per record.
  expect(await lineFor(400)).toMatchObject({ seconds: 40, speed: { stored_per_second: 500, storing: "measured" } });
  const assumed = { seconds: 21, speed: { stored_per_second: 3000, storing: "assumed" } };
  expect(await lineFor(null)).toMatchObject(assumed);
  expect(await lineFor()).toMatchObject(assumed);
});

test("without a sample, reading takes the round trips of its pages and storing its usual time", async () => {
  const sample = { records: 0, milliseconds: 240_000, characters: 2 };
  const mappings = { Account: { fields: [field("Name", "string")], sample } };
  const [line] = (await estimateRun(orgOf(1_200_000, { mappings }))).timeline;
  expect(line).toMatchObject({ seconds: 400, speed: { read_per_second: null } });
});
