import { afterAll, afterEach, beforeAll, expect, test } from "vitest";

import { listRelationships } from "@/lib/migration/relationships/list-relationships";
import type { MigrationKey } from "@/lib/migration/migration-schema";
import { execute, valueOf } from "@/lib/operation";
import { type RunningOrg, startSandboxOrg } from "@/sandbox-org/start";
import { analyze, connect, reportOf } from "@/tests/migration/support/analyze-org";
import { createContext } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

let org: RunningOrg;

beforeAll(async () => {
  org = await startSandboxOrg({ records: 100, seed: 5 });
});
afterEach(() => org.setRules([]));
afterAll(() => org.stop());

async function listed({ organizationId, migrationId }: MigrationKey) {
  const context = await createContext({ organizationId });
  return valueOf(await execute(listRelationships, context, { migration_id: migrationId }));
}

test("while the org is disconnected, the relationships are listed without numbers, with the reason", async () => {
  const key = await connect(org);
  await analyze(key);
  await pool().query("UPDATE connections SET access_token_enc = NULL WHERE organization_id = $1", [key.organizationId]);
  const { data, not_counted_because } = await listed(key);
  expect(not_counted_because).toMatch(/disconnected/);
  expect(data.length).toBeGreaterThan(10);
  expect(data.every(({ records, missing }) => records === null && missing === null)).toBe(true);
});

test("a count that is larger than what is read leaves its link and the later ones without numbers", async () => {
  const key = await connect(org);
  await analyze(key);
  const records = Array.from({ length: 2000 }, (_, n) => ({
    AccountId: `001${String(n).padStart(12, "0")}AAA`,
    records: 1,
    more: Array<number>(200).fill(0),
  }));
  const body = { totalSize: 2000, done: true, records };
  await org.setRules([{ object: "Contact", soql: "GROUP BY AccountId", status: 200, body }]);
  const { data, not_counted_because: because } = await listed(key);
  expect(because).toContain("more than is read while somebody waits");
  const numbers = data.map((link) => [`${link.object} ${link.field}`, link.records] as const);
  const first = numbers.findIndex(([link]) => link === "Contact AccountId");
  expect(first).toBeGreaterThan(0);
  expect(numbers.slice(0, first).every(([, number]) => number !== null)).toBe(true);
  expect(numbers.slice(first).every(([, number]) => number === null)).toBe(true);
});

test("where very many records were deleted here, links of their object and to it stay uncounted", async () => {
  const key = await connect(org);
  await analyze(key);
  const { userId } = await createContext({ organizationId: key.organizationId });
  const isCounted = async (link: string) =>
    (await listed(key)).data.find(({ object, field }) => `${object} ${field}` === link)?.missing !== null;
  const deleted = (records: number) =>
    pool().query(
      `INSERT INTO deleted_records (
         organization_id, deletion_id, resource, id, ext_id, deleted_at, deleted_by_id, is_part, record, cleared,
         aliases)
       SELECT $1, uuidv7(), 'accounts', uuidv7(), '001' || lpad(n::text, 12, '0') || 'AAA', now(), $2, false, '{}',
         '[]', '{}'
       FROM generate_series(1, $3::int) AS n`,
      [key.organizationId, userId, records],
    );
  await deleted(1);
  expect([await isCounted("Contact AccountId"), await isCounted("Account ParentId")]).toEqual([true, true]);
  await deleted(20_000);
  expect([await isCounted("Contact AccountId"), await isCounted("Account ParentId")]).toEqual([false, false]);
  expect(await isCounted("Task WhoId")).toBe(true);
  const sentence = "More than 20,000 accounts were deleted here in the last 30 days";
  expect((await listed(key)).not_counted_because).toContain(sentence);
  const reported = async () => {
    const other = await connect(org, key.organizationId);
    await analyze(other);
    return (await reportOf(other)).quality?.orphans.not_counted_because;
  };
  const because = await reported();
  expect(because).toContain(sentence);
  expect(because).not.toMatch(/Salesforce .*Contact/);
  // Another link of the same object, which Salesforce does not count.
  await org.setRules([{ object: "Contact", soql: "GROUP BY ReportsToId", preset: "UNKNOWN_EXCEPTION" }]);
  expect(await reported()).toMatch(/Salesforce cannot count all links of Contacts\b/);
});
