import { expect, test } from "vitest";

import { inOrganization } from "@/lib/database/organization-scope";
import { mapObject } from "@/lib/migration/report/map-object";
import { createMigration, recordsOf, runMigration } from "@/tests/migration/support/run-migration";
import { ScriptedSource, sourceRecord } from "@/tests/migration/support/scripted-source";

/** The limit of custom fields of an object in the largest edition (Salesforce Help, "Custom Fields Allowed"). */
const NAMES = Array.from({ length: 800 }, (_, index) => `Field_${index}__c`);

const RECORDS = 60;

/** Every third value is missing, and each field misses those of other records. */
function valueOf(record: number, field: number): string | null {
  return (record + field) % 3 === 0 ? null : `Value ${record} of ${field}`;
}

function customFieldsOf(record: number): [name: string, value: string | null][] {
  return NAMES.map((name, index) => [name, valueOf(record, index)]);
}

const Account = Array.from({ length: RECORDS }, (_, record) =>
  sourceRecord("001", record, { Name: `Account ${record}`, ...Object.fromEntries(customFieldsOf(record)) }),
);

test("the report has each of 800 fields, with the number of records that fill it", async () => {
  const key = await createMigration(["Account"]);
  const { fields } = await inOrganization(key.organizationId, () =>
    mapObject(key, new ScriptedSource({ Account }), "Account"),
  );
  const byName = new Map(fields.map((field) => [field.source, field]));
  const expected = NAMES.map((name, index) => ({
    name,
    filled: Account.filter((_, record) => valueOf(record, index) !== null).length,
  }));
  const reported = NAMES.map((name) => ({ name, filled: byName.get(name)?.fill?.filled }));
  expect(reported).toEqual(expected);
  expect(NAMES.filter((name) => byName.get(name)?.samples.length !== 3)).toEqual([]);
});

test("a run brings every filled one of 800 fields, and nothing else", async () => {
  const key = await createMigration(["Account"]);
  const finished = await runMigration(key, new ScriptedSource({ Account }));
  expect(finished.lines.Account).toMatchObject({ status: "done", source: RECORDS, created: RECORDS });
  const stored = await recordsOf("accounts", key.organizationId);
  for (const [record, { Id }] of Account.entries()) {
    const custom = Object.entries(stored[String(Id)]?.custom_fields ?? {}).filter(([name]) =>
      name.startsWith("Field_"),
    );
    expect(Object.fromEntries(custom)).toEqual(
      Object.fromEntries(customFieldsOf(record).filter(([, value]) => value !== null)),
    );
  }
});
