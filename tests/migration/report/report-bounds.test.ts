import { afterEach, expect, test } from "vitest";

import { inOrganization } from "@/lib/database/organization-scope";
import { putConfiguration } from "@/lib/migration/configuration/configure-migration";
import { failAnalysis } from "@/lib/migration/failure";
import { execute, valueOf } from "@/lib/operation";
import { analyze, analyzeOrg, connect, reportOf, risksNamed } from "@/tests/migration/support/analyze-org";
import { mapFields, survey } from "@/tests/migration/support/within";
import type { RunningOrg } from "@/sandbox-org/start";
import { createContext } from "@/tests/support/factories";
import { startHost, stopHosts } from "@/tests/support/hosts";
import { pool } from "@/tests/support/owner";

afterEach(stopHosts);

const CASE = { name: "Case", label: "Case", queryable: true };

interface Described {
  objects?: object[];
  fields?: object[];
  /** The number of records for each value of the field that a query groups by. */
  groups?: object[];
}

const page = (records: object[]) => ({ totalSize: records.length, done: true, records });

/** The groups after the value that the query names, in their order: at most 2,000, as Salesforce gives. */
function groupsAfter(url: string, groups: object[]): object[] {
  const soql = new URL(url, "http://org").searchParams.get("q") ?? "";
  const [, field = "", after = ""] = /(\w+) > '(\w*)'/.exec(soql) ?? [];
  return groups.filter((group) => !after || String(Reflect.get(group, field)) > after).slice(0, 2000);
}

/** A host that describes the given org. All other answers are empty or errors. */
async function hostDescribing({ objects = [CASE], fields = [], groups = [] }: Described): Promise<RunningOrg> {
  const answers: [RegExp, (url: string) => unknown][] = [
    [/^\/services\/data\/$/, () => [{ version: "67.0" }]],
    [/\/v67\.0$/, () => ({})],
    [/\/sobjects$/, () => ({ sobjects: objects })],
    [/\/describe$/, () => ({ fields })],
    [/\/query(?:All)?\?.*GROUP/, (url) => page(groupsAfter(url, groups))],
    [/\/query(?:All)?\?/, () => page([])],
  ];
  const instanceUrl = await startHost((request, response) => {
    const [, answer] = answers.find(([path]) => path.test(request.url ?? "")) ?? [];
    const body = answer?.(request.url ?? "");
    response.writeHead(body ? 200 : 404).end(JSON.stringify(body ?? [{ errorCode: "NOT_FOUND", message: "" }]));
  });
  return { instanceUrl, accessToken: "token" } as RunningOrg;
}

const long = (prefix: string, number: number) => `${prefix}${number}`.padEnd(200, "x");
const named = (number: number) => ({
  name: long("A", number).slice(0, 80),
  label: long("B", number),
  labelPlural: long("C", number),
});
const REFUSAL = {
  code: "source_error",
  message: expect.stringMatching(/^The Salesforce org has more .* than fit into a report of 4 MiB\. Connect/),
};

test("an org that lists twenty thousand objects is refused", async () => {
  const objects = Array.from({ length: 19_000 }, (_, number) => ({ ...named(number), custom: true, queryable: true }));
  const key = await connect(await hostDescribing({ objects: [CASE, ...objects] }));
  await expect(survey(key)).rejects.toMatchObject(REFUSAL);
});

test("so is one that describes objects with 2,000 fields each, and its draft is deleted", async () => {
  const fields = Array.from({ length: 2000 }, (_, number) => ({ ...named(number), type: long("D", number) }));
  const key = await connect(await hostDescribing({ fields }));
  const mapping = async () => {
    for (const object of ["Account", "Contact", "Case", "CaseComment", "EmailMessage"] as const)
      await mapFields(key, object);
  };
  const refusal = await mapping().catch((error: unknown) => error);
  expect(refusal).toMatchObject(REFUSAL);
  await inOrganization(key.organizationId, () => failAnalysis(key, refusal));
  const { rows } = await pool().query(
    "SELECT status, report, failure ->> 'code' AS code FROM migrations WHERE id = $1",
    [key.migrationId],
  );
  expect(rows).toEqual([{ status: "analysis_failed", report: null, code: "source_error" }]);
});

test("the hundred most used values of a picklist are listed with the number of others; all can be chosen", async () => {
  const values = Array.from({ length: 150 }, (_, number) => ({ value: `Value ${number}`, active: true }));
  const fields = [{ name: "Status", label: "Status", type: "picklist", groupable: true, picklistValues: values }];
  const groups = values.map(({ value }, number) => ({ Status: value, records: number + 1 }));
  const key = await connect(await hostDescribing({ fields, groups }));
  await analyze(key);
  const report = await reportOf(key);
  const status = report.inventory
    .find(({ object }) => object === "Case")
    ?.fields.find(({ source }) => source === "Status");
  expect(status).toMatchObject({
    more_values: 50,
    values: expect.objectContaining({ length: 100, 0: expect.objectContaining({ count: 150 }) }),
  });
  const input = { migration_id: key.migrationId, objects: { Case: { values: { Status: { "Value 0": "closed" } } } } };
  const configured = await execute(
    putConfiguration,
    await createContext({ organizationId: key.organizationId }),
    input,
  );
  expect(valueOf(configured)).toMatchObject({ objects: input.objects });
});

test("a picklist value is listed with a label that differs, which decides where the value says nothing", async () => {
  const picklistValues = [
    { value: "20", label: "On hold" },
    { value: "Closed", label: "Closed" },
  ];
  const fields = [{ name: "Status", label: "Status", type: "picklist", groupable: true, picklistValues }];
  const groups = ["20", "Closed"].map((Status, number) => ({ Status, records: 2 - number }));
  const report = await analyzeOrg(await hostDescribing({ fields, groups }));
  const status = report.inventory
    .find(({ object }) => object === "Case")
    ?.fields.find(({ source }) => source === "Status");
  expect(status?.values).toEqual([
    { source: "20", label: "On hold", count: 2, active: true, suggestion: "on_hold" },
    { source: "Closed", count: 1, active: true, suggestion: "closed" },
  ]);
  expect(status?.fit?.picklist).toEqual({ same: 1, translated: 2, unknown: 0, unknown_values: 0 });
});

test("all owners are counted, however many groups one query gives", async () => {
  const fields = [{ name: "OwnerId", label: "Owner", type: "reference", groupable: true }];
  const groups = Array.from({ length: 2500 }, (_, number) => ({
    OwnerId: `005${String(number).padStart(12, "0")}AAA`,
    records: 2,
  }));
  const [risk] = risksNamed(await analyzeOrg(await hostDescribing({ fields, groups })), "owners_not_members");
  expect(risk).toMatchObject({ count: 5000, title: "2,500 active owners are not members here" });
});

test("a picklist with more values than one query counts is listed without numbers, not with some of them", async () => {
  const picklistValues = [{ value: "Value 1", active: true }];
  const fields = [{ name: "Status", label: "Status", type: "picklist", groupable: true, picklistValues }];
  const groups = Array.from({ length: 2000 }, (_, number) => ({ Status: `Value ${number}`, records: 1 }));
  const report = await analyzeOrg(await hostDescribing({ fields, groups }));
  const status = report.inventory
    .find(({ object }) => object === "Case")
    ?.fields.find(({ source }) => source === "Status");
  expect(status?.values).toMatchObject([{ source: "Value 1", count: null }]);
});
