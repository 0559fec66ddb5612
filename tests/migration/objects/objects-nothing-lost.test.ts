import { afterAll, beforeAll, expect, test } from "vitest";

import { AUTOMATIC_OBJECTS } from "@/lib/migration/objects/source-object-names";
import { openClient } from "@/lib/salesforce/client";
import { createMigration, issuesOf, recordsOf, runMigration } from "@/tests/migration/support/run-migration";
import { type RunningOrg, startSandboxOrg } from "@/sandbox-org/start";

type Fields = Record<string, unknown>;

/** Fields that only repeat others. Everything else must be stored. */
const REPEATED: Record<string, string[]> = {
  "": ["attributes", "IsDeleted", "SystemModstamp", "LastViewedDate", "LastReferencedDate", "PhotoUrl"],
  Contact: ["Name"],
  Case: ["ContactPhone", "ContactEmail", "ContactMobile", "ContactFax", "Comments"],
};
const COMPOUNDS = new Set(["address", "location", "base64"]);

let org: RunningOrg;
beforeAll(async () => (org = await startSandboxOrg({ records: 4000, seed: 29 })));
afterAll(() => org.stop());

async function ask<T>(path: string): Promise<T> {
  const response = await fetch(`${org.instanceUrl}${path}`, {
    headers: { authorization: `Bearer ${org.accessToken}` },
  });
  return (await response.json()) as T;
}

/** All records of an object with all fields, read without the code under test. */
async function readSource(object: string): Promise<Fields[]> {
  const described = await ask<{ fields: { name: string; type: string }[] }>(
    `/services/data/v67.0/sobjects/${object}/describe`,
  );
  const fields = described.fields.filter(({ type }) => !COMPOUNDS.has(type)).map(({ name }) => name);
  const soql = `SELECT ${fields.join(", ")} FROM ${object} WHERE IsDeleted = false`;
  const records: Fields[] = [];
  let next: string | undefined = `/services/data/v67.0/queryAll?q=${encodeURIComponent(soql)}`;
  while (next) {
    const page: { records: Fields[]; nextRecordsUrl?: string } = await ask(next);
    records.push(...page.records);
    next = page.nextRecordsUrl;
  }
  return records;
}

const plain = (value: unknown) => (typeof value === "string" ? value.replaceAll("\0", "").toWellFormed() : value);
const words = (value: unknown) =>
  String(value)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_");
const MOMENT = /^\d{4}-\d\d-\d\dT/;

/**
 * Whether a column has the content of a source field: the same value, moment or id, or an enum value with the same
 * spelling.
 */
function says(column: unknown, value: unknown, names: Map<unknown, string>): boolean {
  if (column === value || names.get(column) === value) return true;
  if (typeof column !== "string" || typeof value !== "string") return false;
  if (MOMENT.test(column) && MOMENT.test(value)) return Date.parse(column) === Date.parse(value);
  return words(value) === column;
}

/** Whether a record has the content of a source field. An id that two fields name is stored under one of them. */
function holds(record: Fields, field: string, value: unknown, names: Map<unknown, string>): boolean {
  const { custom_fields, ...columns } = record;
  const custom = custom_fields as Fields;
  if (custom[field] === value) return true;
  if (field === "Incoming") return columns.kind === (value ? "email_inbound" : "email_outbound");
  if (field === "Visibility") return columns.is_public === (value === "AllUsers");
  if (field.endsWith("Id") && Object.values(custom).includes(value)) return true;
  return Object.values(columns).some((column) => says(column, value, names));
}

/** The fields of a source record that are missing from the imported record. */
function lost(object: string, source: Fields, record: Fields, names: Map<unknown, string>): string[] {
  const repeated = new Set([...(REPEATED[""] ?? []), ...(REPEATED[object] ?? [])]);
  return Object.entries(source)
    .filter(([field, value]) => value !== null && !repeated.has(field) && !holds(record, field, plain(value), names))
    .map(([field]) => `${object}.${field}`);
}

/** The custom fields of a task that are missing from its e-mail. */
function lostOfTask(task: Fields, email: Fields | undefined): string[] {
  const kept = (email?.custom_fields ?? {}) as Fields;
  const own = Object.entries(task).filter(
    ([field, value]) => value !== null && (field.endsWith("__c") || field === "OwnerId"),
  );
  return own
    .filter(([field, value]) => kept[`Task.${field}`] !== plain(value))
    .map(([field]) => `mirroring Task.${field}`);
}

test("every value of every record is stored, in a column or under its name in custom_fields", async () => {
  const key = await createMigration(AUTOMATIC_OBJECTS, org);
  const client = openClient({ instanceUrl: org.instanceUrl, accessToken: org.accessToken, apiVersion: "67.0" });
  expect(await runMigration(key, client)).toMatchObject({ failure: null });
  const records: Record<string, Fields> = {};
  for (const resource of ["accounts", "contacts", "cases", "case_comments", "activities"]) {
    Object.assign(records, await recordsOf(resource, key.organizationId));
  }
  const names = new Map(Object.entries(records).map(([extId, { id }]) => [id, extId]));
  const issues = await issuesOf(key);
  const byRecordId = new Map(Object.values(records).map((record) => [record.id, record]));
  const missing: string[] = [];
  let compared = 0;
  for (const object of AUTOMATIC_OBJECTS) {
    for (const source of await readSource(object)) {
      const record = records[String(source.Id)];
      if (record) missing.push(...lost(object, source, record, names));
      else if (issues[String(source.Id)]?.code === "mirrored_by_email")
        missing.push(...lostOfTask(source, byRecordId.get(issues[String(source.Id)]?.value)));
      else if (!issues[String(source.Id)]) missing.push(`${object} ${String(source.Id)}`);
      compared += 1;
    }
  }
  expect(compared).toBe(4000);
  expect([...new Set(missing)]).toEqual([]);
});
