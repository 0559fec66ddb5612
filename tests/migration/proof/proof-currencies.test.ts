import { beforeEach, expect, test } from "vitest";

import { inOrganization } from "@/lib/database/organization-scope";
import type { ObjectConfiguration } from "@/lib/migration/configuration/configuration-schema";
import type { ObjectProof } from "@/lib/migration/proof/proof-schema";
import { proveObject } from "@/lib/migration/proof/prove-object";
import type { MigrationKey } from "@/lib/migration/migration-schema";
import { createMigration, runMigration } from "@/tests/migration/support/run-migration";
import { ScriptedSource, sourceId, sourceRecord } from "@/tests/migration/support/scripted-source";
import { pool } from "@/tests/support/owner";

const FIELDS = [
  ...["Id", "Name", "CurrencyIsoCode"].map((name) => ({ name, label: name, type: "string" })),
  ...["AnnualRevenue", "Budget__c"].map((name) => ({ name, label: name, type: "currency", aggregatable: true })),
];

/** Accounts of an org with several currencies. Salesforce would convert every sum that it is asked for. */
function orgWithCurrencies(): ScriptedSource {
  const amounts = [
    ["USD", 100.1, null],
    ["EUR", 200.2, 7],
    ["EUR", 0.1, 0.2],
    ["JPY", null, 90_000],
  ] as const;
  const source = new ScriptedSource({
    Account: amounts.map(([CurrencyIsoCode, AnnualRevenue, Budget__c], index) =>
      sourceRecord("001", index + 1, { Name: `Account ${index}`, CurrencyIsoCode, AnnualRevenue, Budget__c }),
    ),
  });
  const json = source.json.bind(source);
  source.json = async (path, schema, options) =>
    path.endsWith("/Account/describe") ? schema.parse({ fields: FIELDS }) : await json(path, schema, options);
  source.beforeQuery = (soql) => asked.push(soql);
  return source;
}

const asked: string[] = [];
let key: MigrationKey;
let source: ScriptedSource;

beforeEach(async () => {
  asked.length = 0;
  key = await createMigration(["Account"]);
  source = orgWithCurrencies();
});

function prove(choices?: ObjectConfiguration): Promise<ObjectProof> {
  const window = { until: new Date("2026-06-01T12:00:00Z") };
  return inOrganization(key.organizationId, () => proveObject({ key, client: source, window }, "Account", choices));
}

test("amounts of several currencies are added up from the records, which Salesforce does not convert", async () => {
  await runMigration(key, source);
  expect(await prove()).toMatchObject({
    amounts: [
      { field: "AnnualRevenue", compared: 2, different: 0 },
      { field: "Budget__c", compared: 2, different: 0 },
    ],
    proven: true,
  });
  expect(asked.filter((soql) => soql.includes("SUM("))).toEqual([]);

  await pool().query("UPDATE accounts SET annual_revenue = 0.2 WHERE organization_id = $1 AND ext_id = $2", [
    key.organizationId,
    sourceId("001", 3),
  ]);
  const [revenue] = (await prove()).amounts;
  expect(revenue).toMatchObject({ different: 1, differences: [{ key: "EUR", source: 200.3, here: 200.4 }] });
});

test("amounts in more currencies than there are, as only a hostile source has, are not compared", async () => {
  source.records.Account = Array.from({ length: 1001 }, (_, number) =>
    sourceRecord("001", number + 1, { Name: "Account", CurrencyIsoCode: `C${number}`, AnnualRevenue: 1 }),
  );
  await runMigration(key, source);
  const because = "It has amounts in more than 1000 currencies.";
  expect((await prove()).amounts).toMatchObject([
    { field: "AnnualRevenue", not_compared_because: because },
    { field: "Budget__c", not_compared_because: null },
  ]);
});

test("so are those of an org whose field of the currency is left out, without their currencies", async () => {
  const choices = { selected: true, fields: { CurrencyIsoCode: null }, values: {} };
  await runMigration(key, source, { configuration: { objects: { Account: choices } } });
  expect(await prove(choices)).toMatchObject({ amounts: [{ compared: 1, different: 0 }, {}], proven: true });
});
