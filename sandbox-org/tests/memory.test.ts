import { afterAll, beforeAll, expect, test } from "vitest";

import { countOf } from "@/sandbox-org/generator/record-at";
import { isHardDeleted } from "@/sandbox-org/soql/restrictions";
import { startSandboxOrg, type RunningOrg } from "@/sandbox-org/start";

const SIZE = 1_000_000;
const SEED = 1;
const MEGABYTE = 1024 * 1024;
const FIELDS =
  "Id, Subject, Description, Status, WhoId, WhatId, OwnerId, ActivityDate, CreatedDate, SystemModstamp, " +
  "TaskSubtype, IsDeleted";

let org: RunningOrg;
beforeAll(async () => {
  org = await startSandboxOrg({ records: SIZE, seed: SEED });
});
afterAll(() => org.stop());

interface Page {
  totalSize: number;
  done: boolean;
  nextRecordsUrl?: string;
  records: { Id: string }[];
}

async function get(path: string): Promise<Response> {
  const response = await fetch(org.instanceUrl + path, { headers: { Authorization: `Bearer ${org.accessToken}` } });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return response;
}
const ask = async (soql: string): Promise<Page> =>
  (await (await get(`/services/data/v62.0/queryAll?q=${encodeURIComponent(soql)}`)).json()) as Page;

/** Rows of one keyset page. With wide rows, the answer itself has several pages, since each ends early. */
async function keysetPage(last: string): Promise<{ Id: string }[]> {
  let page = await ask(`SELECT ${FIELDS} FROM Task WHERE Id > '${last}' AND IsDeleted = false ORDER BY Id LIMIT 2000`);
  const rows = [...page.records];
  while (!page.done && page.nextRecordsUrl !== undefined) {
    page = (await (await get(page.nextRecordsUrl)).json()) as Page;
    rows.push(...page.records);
  }
  return rows;
}

test("an org of 1,000,000 records is read and counted within 500 MB", async () => {
  let [last, read] = ["000000000000000AAA", 0];
  while (read < 100_000) {
    const rows = await keysetPage(last);
    expect(rows).toHaveLength(2000);
    read += rows.length;
    last = rows.at(-1)?.Id ?? "";
  }
  for (const object of [
    "Account",
    "Contact",
    "Case",
    "CaseComment",
    "EmailMessage",
    "FeedItem",
    "FeedComment",
    "Task",
    "Event",
  ]) {
    const { total, live } = countOf(SEED, SIZE, object);
    expect((await ask(`SELECT COUNT() FROM ${object}`)).totalSize).toBe(isHardDeleted(object) ? live : total);
    expect((await ask(`SELECT COUNT() FROM ${object} WHERE IsDeleted = false`)).totalSize).toBe(live);
  }
  const { peak_rss } = await org.stats();
  expect(peak_rss / MEGABYTE).toBeLessThan(500);
});

test("one Bulk result streams a whole object within 500 MB", async () => {
  const { total } = countOf(SEED, SIZE, "Case");
  const body = JSON.stringify({
    operation: "queryAll",
    query: "SELECT Id, Subject, Description, CreatedDate FROM Case",
  });
  const headers = { Authorization: `Bearer ${org.accessToken}`, "Content-Type": "application/json" };
  const { id } = (await (
    await fetch(`${org.instanceUrl}/services/data/v62.0/jobs/query`, { method: "POST", body, headers })
  ).json()) as {
    id: string;
  };
  while (
    ((await (await get(`/services/data/v62.0/jobs/query/${id}`)).json()) as { state: string }).state !== "JobComplete"
  );
  const response = await get(`/services/data/v62.0/jobs/query/${id}/results?maxRecords=1000000`);
  expect(response.headers.get("sforce-numberofrecords")).toBe(String(total));
  const lead = Buffer.from('\n"500');
  let rows = 0;
  let rest = Buffer.alloc(0);
  for await (const chunk of response.body ?? []) {
    const bytes = Buffer.concat([rest, chunk]);
    for (let at = bytes.indexOf(lead); at >= 0; at = bytes.indexOf(lead, at + 1)) rows += 1;
    rest = Buffer.from(bytes.subarray(-(lead.length - 1)));
  }
  expect(rows).toBe(total);
  expect((await org.stats()).peak_rss / MEGABYTE).toBeLessThan(500);
});
