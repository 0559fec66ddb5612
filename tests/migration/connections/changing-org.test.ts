import { setTimeout as sleep } from "node:timers/promises";

import { afterAll, afterEach, beforeAll, expect, test } from "vitest";

import { transaction } from "@/lib/database/db";
import { configurationSchema } from "@/lib/migration/configuration/configuration-schema";
import type { MigrationKey } from "@/lib/migration/migration-schema";
import { openClient, type SalesforceClient } from "@/lib/salesforce/client";
import { query } from "@/lib/salesforce/query";
import type { Change } from "@/sandbox-org/control/mutate";
import { type RunningOrg, startSandboxOrg } from "@/sandbox-org/start";
import {
  createMigration,
  finishedOf,
  recordsOf,
  runMigration,
  workToTheEnd,
} from "@/tests/migration/support/run-migration";
import { READ_ERRORS } from "@/tests/migration/support/read-errors";
import { contentOf, expectWhole, stopOf } from "@/tests/migration/support/stopped-runs";
import { startDelta, startRun } from "@/tests/migration/support/within";
import { isExhaustive } from "@/tests/support/exhaustive";
import { pool } from "@/tests/support/owner";

let org: RunningOrg;
let client: SalesforceClient;

beforeAll(async () => {
  org = await startSandboxOrg({ records: 150, seed: 3, pageSize: 5 });
  const { instanceUrl, accessToken } = org;
  client = openClient({ instanceUrl, accessToken, apiVersion: "67.0", retry: { retries: 0 } });
});
afterEach(() => org.setRules({ rules: [], access: {} }));
afterAll(() => org.stop());

const start = (key: MigrationKey) => transaction((tx) => startRun(tx, key, configurationSchema.parse({})));

/** The client, with something that happens in the org before each page of records. */
function meddling(act: (page: number) => Promise<unknown>): SalesforceClient {
  let pages = 0;
  return new Proxy(client, {
    get(target, name) {
      if (name !== "json") {
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === "function" ? value.bind(target) : value;
      }
      const json: SalesforceClient["json"] = async (path, schema, options) => {
        if (/ORDER%20BY%20Id%20LIMIT/.test(path)) await act((pages += 1));
        return target.json(path, schema, options);
      };
      return json;
    },
  });
}

async function idsOf(object: string): Promise<string[]> {
  const { records } = await query(client, `SELECT Id FROM ${object} ORDER BY Id LIMIT 2000`);
  return records.map(({ Id }) => String(Id));
}

/** Changes of every kind to the first, middle and last records of objects, read and unread ones. */
async function changesOf(): Promise<Change[]> {
  const changes: Change[] = [];
  for (const [object, field] of Object.entries({ Account: "Name", Contact: "LastName", Case: "Subject" })) {
    const ids = await idsOf(object);
    const [first = "", second = ""] = ids;
    const [last = "", secondToLast = ""] = ids.toReversed();
    changes.push(
      { op: "update", object, id: last, fields: { [field]: "Changed while it was read" } },
      { op: "delete", object, id: secondToLast },
      { op: "update", object, id: first, fields: { [field]: "Changed after it was read" } },
      { op: "delete", object, id: second },
      { op: "insert", object, fields: { [field]: "New", ...(object === "Case" && { Status: "New" }) } },
      { op: "undelete", object, id: secondToLast },
    );
  }
  return changes;
}

/** How often each record of the source is here, if more than once. */
async function doublesOf({ organizationId }: MigrationKey): Promise<unknown[]> {
  const tables = ["accounts", "contacts", "cases", "case_comments", "activities"];
  const { rows } = await pool().query(
    `SELECT ext_id
     FROM (${tables.map((table) => `SELECT ext_id, organization_id FROM ${table}`).join(" UNION ALL ")}) r
     WHERE organization_id = $1 GROUP BY ext_id HAVING count(*) > 1`,
    [organizationId],
  );
  return rows;
}

test("records that are created, changed, deleted and restored during a run: its sums close", async () => {
  const changes = await changesOf();
  const deleted = changes.flatMap(({ op, id }, index) => (op === "delete" && index % 6 === 3 && id ? [id] : []));
  const key = await createMigration();
  const run = await start(key);
  const disturbed = meddling(async (page) => {
    const [change] = page % 2 === 0 ? changes.splice(0, 1) : [];
    if (change) await org.mutate(change);
  });
  expect(await stopOf(run, disturbed)).toEqual({ kind: "completed", detail: "" });
  expect(changes).toEqual([]);
  expectWhole(await finishedOf(key));
  expect(await doublesOf(key)).toEqual([]);

  // Records of this second belong to the run after it.
  await sleep(1100);
  expectWhole(await runMigration(key, client));
  const fresh = await createMigration();
  expectWhole(await runMigration(fresh, client));
  // What was deleted after it was read is still here, and so are the links to it.
  const content = new Set(await contentOf(key));
  const missing = (await contentOf(fresh)).filter((text) => !content.has(text));
  expect(missing.filter((text) => !deleted.some((id) => text.includes(id)))).toEqual([]);
  expect(deleted).toHaveLength(3);
  expect(await doublesOf(key)).toEqual([]);
});

/** The client, with something that happens once, when the first contacts are stored. */
function meddlingWithContacts(key: MigrationKey, act: () => Promise<unknown>): SalesforceClient {
  let contacts = 0;
  return meddling(async () => {
    if (contacts > 0) return;
    contacts = (await finishedOf(key)).lines.Contact?.created ?? 0;
    if (contacts > 0) await act();
  });
}

test("a record that is purged after it was read: the sums close, and a delta goes on from the run", async () => {
  const key = await createMigration();
  const run = await start(key);
  const [id = ""] = await idsOf("Contact");
  const disturbed = meddlingWithContacts(key, () => org.mutate({ op: "purge", object: "Contact", id }));
  expect(await stopOf(run, disturbed)).toEqual({ kind: "completed", detail: "" });
  expect(await idsOf("Contact")).not.toContain(id);
  expectWhole(await finishedOf(key));
  expect(await recordsOf("contacts", key.organizationId)).toHaveProperty(id);
  await workToTheEnd(await transaction((tx) => startDelta(tx, key)), client);
  expectWhole(await finishedOf(key));
  expectWhole(await runMigration(key, client));
  expect(await doublesOf(key)).toEqual([]);
});

/** How a record comes to be counted twice, and which other one is purged, by the order of the ids. */
const TWICE: [string, "ASC" | "DESC" | null][] = [
  ["counted twice", null],
  ["counted twice while another one is purged before it is read", "DESC"],
  ["counted twice while another one is purged after it was read", "ASC"],
];

test.each(TWICE.filter(([, order]) => isExhaustive || order !== "ASC"))(
  "a record that is %s: the run says what does not add up",
  async (_, order) => {
    const key = await createMigration();
    const run = await start(key);
    const [other] = (await query(client, `SELECT Id FROM Contact ORDER BY Id ${order ?? "ASC"} LIMIT 1`)).records;
    const disturbed = meddlingWithContacts(key, async () => {
      if (order) await org.mutate({ op: "purge", object: "Contact", id: String(other?.Id) });
      await pool().query(
        "UPDATE migration_objects SET created = created + 1 WHERE migration_id = $1 AND object = 'Contact'",
        [key.migrationId],
      );
    });
    const stop = await stopOf(run, disturbed);
    expect(stop).toMatchObject({
      kind: "failed",
      detail: expect.stringContaining("Not every record is accounted for"),
    });
    expectWhole(await runMigration(key, client));
  },
);

test.each([
  ["is restored", 0],
  ["becomes visible, with a stamp from before the run,", -30_000],
])("a record that %s behind the checkpoint of a run is read, and the sums close", async (_, offset) => {
  const [id = ""] = await idsOf("Contact");
  await org.mutate({ op: "delete", object: "Contact", id });
  // What is deleted in the second in which a run starts is in its window.
  await sleep(1100);
  const key = await createMigration();
  const run = await start(key);
  let contacts = 0;
  const disturbed = meddling(async () => {
    if (contacts > 0) return;
    contacts = (await finishedOf(key)).lines.Contact?.created ?? 0;
    const at = new Date(Date.now() + offset).toISOString();
    if (contacts > 0) await org.mutate({ op: "undelete", object: "Contact", id, at });
  });
  expect(await stopOf(run, disturbed)).toEqual({ kind: "completed", detail: "" });
  expect(contacts).toBeGreaterThan(0);
  expectWhole(await finishedOf(key));
  const { rows } = await pool().query("SELECT FROM contacts WHERE organization_id = $1 AND ext_id = $2", [
    key.organizationId,
    id,
  ]);
  expect(rows).toHaveLength(1);
});

test("a record that becomes visible while the run reads, and one that is purged then: the sums close", async () => {
  const key = await createMigration();
  const run = await start(key);
  const [id = ""] = await idsOf("Contact");
  const at = new Date(Date.now() - 30_000).toISOString();
  const disturbed = meddlingWithContacts(key, async () => {
    await org.mutate({ op: "purge", object: "Contact", id });
    await org.mutate({ op: "insert", object: "Contact", fields: { LastName: "Late" }, at });
  });
  expect(await stopOf(run, disturbed)).toEqual({ kind: "completed", detail: "" });
  expectWhole(await finishedOf(key));
  expect(Object.values(await recordsOf("contacts", key.organizationId))).toContainEqual(
    expect.objectContaining({ last_name: "Late" }),
  );
});

test("a field that is hidden during a run ends it with its name; the next run does without", async () => {
  const key = await createMigration();
  const run = await start(key);
  const access = { hiddenObjects: [], hiddenFields: { Contact: ["Phone"] } };
  const disturbed = meddling(async () => {
    const { lines } = await finishedOf(key);
    if ((lines.Contact?.created ?? 0) > 0) await org.setRules({ rules: [], access });
  });
  expect(await stopOf(run, disturbed)).toMatchObject({ kind: "failed", detail: expect.stringContaining("Phone") });
  const without = await runMigration(key, client);
  expectWhole(without);
  await org.setRules({ rules: [], access: {} });
  expectWhole(await runMigration(key, client));
  const fresh = await createMigration();
  expectWhole(await runMigration(fresh, client));
  const content = new Set(await contentOf(key));
  expect((await contentOf(fresh)).filter((text) => !content.has(text))).toEqual([]);
});

test.each([
  ["hidden", { rules: [], access: { hiddenObjects: ["Case"] } }],
  ["refused", { rules: [{ object: "Case", ...READ_ERRORS.INSUFFICIENT_ACCESS }], access: {} }],
])("an object that was %s after the analysis ends the run with its name; the next completes", async (_, rules) => {
  const key = await createMigration();
  await org.setRules(rules);
  const stop = await stopOf(await start(key), client);
  expect(stop).toMatchObject({ kind: "failed", detail: expect.stringMatching(/^Cases: /) });
  await org.setRules({ rules: [], access: {} });
  expectWhole(await runMigration(key, client));
});
