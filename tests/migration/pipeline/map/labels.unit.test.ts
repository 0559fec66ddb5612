import { expect, test } from "vitest";

import { planObject } from "@/lib/migration/pipeline/map/plan";
import { type Row, transform } from "@/lib/migration/pipeline/map/transform";
import { NOBODY } from "@/lib/migration/pipeline/read/people";
import type { ObjectConfiguration } from "@/lib/migration/configuration/configuration-schema";
import type { SalesforceClient } from "@/lib/salesforce/client";
import { describeObject } from "@/lib/salesforce/describe";
import { sourceRecord } from "@/tests/migration/support/scripted-source";

const ORGANIZATION = "01890000-0000-7000-8000-000000000000";
const [SUPPORT, MASTER] = ["012M00000000001AAA", "012000000000000AAA"];

const RECORD_TYPES = [
  { recordTypeId: SUPPORT, name: "Support", developerName: "Support_v2", active: false, available: false },
  { recordTypeId: MASTER, name: "Master", developerName: "Master", active: true, master: true },
];
const FIELDS = ["Id", "Subject", "RecordTypeId"].map((name) => ({ name, label: name, type: "string" }));
const STATUS = {
  name: "Status",
  label: "Status",
  type: "picklist",
  picklistValues: [
    { value: "20", label: "Waiting for parts" },
    { value: "Closed", label: "New" },
    { value: "30", label: null },
  ],
};

/** What a describe of cases is read as. */
async function described(answer: object) {
  const client = {
    dataPath: "",
    json: async (_: string, schema: { parse(json: unknown): unknown }) => schema.parse(answer),
  };
  return (await describeObject(client as unknown as SalesforceClient, "Case")).fields;
}

async function planOf(answer: object, choices?: ObjectConfiguration) {
  return planObject("Case", await described(answer), choices);
}

function rowOf(plan: Awaited<ReturnType<typeof planOf>>, fields: object): Row {
  const outcome = transform(plan, sourceRecord("500", 1, { ...fields }), NOBODY, ORGANIZATION);
  if ("issue" in outcome) throw new Error(outcome.issue.reason);
  return outcome.row;
}

test("a record keeps the name of its record type beside the id, also of an inactive one", async () => {
  const plan = await planOf({ fields: FIELDS, recordTypeInfos: RECORD_TYPES });
  const named = { RecordTypeId: SUPPORT, "RecordType.Name": "Support" };
  expect(rowOf(plan, { RecordTypeId: SUPPORT }).custom_fields).toEqual(named);
  for (const RecordTypeId of ["012M00000000009AAA", MASTER])
    expect(rowOf(plan, { RecordTypeId }).custom_fields).toEqual({ RecordTypeId });
  expect(rowOf(plan, { RecordTypeId: null }).custom_fields).toEqual({});
  // A run without record types of that name would remove it.
  expect(plan.main.ownCustomFields).toContain("RecordType.Name");
});

test("a text takes the name of a record type, and its id is kept; an unknown one stays an id", async () => {
  const chosen = { selected: true, fields: { RecordTypeId: "subject" }, values: {} };
  const plan = await planOf({ fields: FIELDS, recordTypeInfos: RECORD_TYPES }, chosen);
  expect(rowOf(plan, { RecordTypeId: SUPPORT })).toMatchObject({
    subject: "Support",
    custom_fields: { RecordTypeId: SUPPORT },
  });
  expect(rowOf(plan, { RecordTypeId: "012M00000000009AAA" })).toMatchObject({ subject: "012M00000000009AAA" });
});

test("a record whose record type is left out keeps no name of it, and another name is looked at anew", async () => {
  const answer = { fields: FIELDS, recordTypeInfos: RECORD_TYPES };
  const without = await planOf(answer, { selected: true, fields: { RecordTypeId: null }, values: {} });
  expect(rowOf(without, { RecordTypeId: SUPPORT }).custom_fields).toEqual({});
  const renamed = { fields: FIELDS, recordTypeInfos: RECORD_TYPES.map((type) => ({ ...type, name: "Field service" })) };
  expect((await planOf(renamed)).fingerprint).not.toBe((await planOf(answer)).fingerprint);
});

test("a picklist value that says nothing by itself means what its label says, and is kept", async () => {
  const plan = await planOf({ fields: [...FIELDS, STATUS] });
  expect(rowOf(plan, { Status: "20" })).toMatchObject({
    status: "waiting_on_customer",
    custom_fields: { Status: "20" },
  });
  expect(rowOf(plan, { Status: "Closed" })).toMatchObject({ status: "closed", custom_fields: {} });
  expect(rowOf(plan, { Status: "30" })).toMatchObject({ status: "new", custom_fields: { Status: "30" } });
});
