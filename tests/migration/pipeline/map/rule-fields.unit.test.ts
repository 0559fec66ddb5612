import { expect, test } from "vitest";

import { configurationSchema } from "@/lib/migration/configuration/configuration-schema";
import { RECORD_FIELDS } from "@/lib/migration/configuration/mapping-rules";
import { IMPORT_ORDER, type SourceObjectName } from "@/lib/migration/objects/source-object-names";
import { planObject } from "@/lib/migration/pipeline/map/plan";
import { transform } from "@/lib/migration/pipeline/map/transform";
import { NOBODY } from "@/lib/migration/pipeline/read/people";
import { addRelated } from "@/lib/migration/pipeline/read/related-records";
import { nothingLearned, type RunSession } from "@/lib/migration/pipeline/run-session";
import type { SourceRecord } from "@/lib/salesforce/query";
import { countOf, recordAt } from "@/sandbox-org/generator/record-at";
import { DATA_OBJECTS } from "@/sandbox-org/objects/registry";
import { ScriptedSource, sourceRecord } from "@/tests/migration/support/scripted-source";

const [SEED, SIZE] = [7, 2000];
const [MAX_RECORDS, MAX_VARIED] = [300, 30];
const ID = "01890000-0000-7000-8000-000000000000";

/** Fields that the sandbox org, with one currency, lacks. */
const OTHERS: Partial<Record<SourceObjectName, SourceRecord>> = { Product2: { CurrencyIsoCode: "EUR" } };

/** Records as the sandbox org has them; some of them with one value fewer each, so that rules ask for the next one. */
function recordsOf(object: SourceObjectName): SourceRecord[] {
  const { total } = countOf(SEED, SIZE, object);
  const records = Array.from({ length: Math.min(MAX_RECORDS, total) }, (_, n): SourceRecord => ({
    ...recordAt(SEED, SIZE, object, n),
    ...OTHERS[object],
  }));
  const fewer = records.slice(0, MAX_VARIED).flatMap((record) =>
    Object.keys(record)
      .filter((name) => !Object.hasOwn(RECORD_FIELDS, name))
      .map((name) => ({ ...record, [name]: null })),
  );
  return [...records, ...fewer];
}

/** A record that notes by which names it is asked. */
function noting(record: SourceRecord, asked: Set<string>): SourceRecord {
  let copied: string | symbol | null = null;
  return new Proxy(record, {
    // A copy of a record asks for each value after its descriptor, and reads no field by its name.
    getOwnPropertyDescriptor(target, name) {
      copied = name;
      return Reflect.getOwnPropertyDescriptor(target, name);
    },
    get(target, name) {
      if (name !== copied) asked.add(String(name));
      copied = null;
      return Reflect.get(target, name) as unknown;
    },
  });
}

/** A session in an org in which nothing else belongs to the records than a price to the first product. */
function session(): RunSession {
  const price = { Product2Id: recordAt(SEED, SIZE, "Product2", 0).Id, UnitPrice: 5, CurrencyIsoCode: "USD" };
  const client = new ScriptedSource({ Task: [], Event: [], PricebookEntry: [sourceRecord("01u", 1, price)] });
  return {
    run: { organizationId: ID, migrationId: ID, runNumber: 1 },
    kind: "full",
    api: { client, limit: undefined, used: 0, since: client.now, stored: 0 },
    client,
    people: NOBODY,
    window: { until: client.now },
    configuration: configurationSchema.parse({}),
    ...nothingLearned(),
  };
}

test.each(IMPORT_ORDER)("%s: of fields that are all left out, those that rules ask for are read", async (object) => {
  const fields = DATA_OBJECTS.get(object.toLowerCase())?.fields ?? [];
  const described = [
    ...fields.map(({ name, type }) => ({ name, type })),
    ...Object.keys(OTHERS[object] ?? {}).map((name) => ({ name, type: "string" })),
  ];
  const free = described.filter(({ name }) => !Object.hasOwn(RECORD_FIELDS, name));
  const plan = planObject(object, described, { fields: Object.fromEntries(free.map(({ name }) => [name, null])) });
  const asked = new Set<string>();
  const records = recordsOf(object).map((record) => noting(record, asked));
  await addRelated(session(), object, records);
  for (const record of records) transform(plan, record, NOBODY, ID);
  const read = described.map(({ name }) => name).filter((name) => asked.has(name));
  expect(plan.select.toSorted()).toEqual(read.toSorted());
});
