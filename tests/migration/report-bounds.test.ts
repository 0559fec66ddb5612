import { afterEach, expect, test } from "vitest";

import { inOrganization } from "@/lib/database/organization-scope";
import { putConfiguration } from "@/lib/migration/configuration/configure-migration";
import { failAnalysis } from "@/lib/migration/failure";
import { execute, valueOf } from "@/lib/operation";
import { analyze, connect, reportOf } from "@/tests/migration/support/analyze-org";
import { map, survey } from "@/tests/migration/support/within";
import type { RunningOrg } from "@/sandbox-org/start";
import { createContext } from "@/tests/support/factories";
import { startHost, stopHosts } from "@/tests/support/http-double";
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

/** A host that describes the given org. All other answers are empty or errors. */
async function hostDescribing({ objects = [CASE], fields = [], groups = [] }: Described): Promise<RunningOrg> {
  const answers: [RegExp, unknown][] = [
    [/^\/services\/data\/$/, [{ version: "67.0" }]],
    [/\/v67\.0$/, {}],
    [/\/sobjects$/, { sobjects: objects }],
    [/\/describe$/, { fields }],
    [/\/query(?:All)?\?.*GROUP/, page(groups)],
    [/\/query(?:All)?\?/, page([])],
  ];
  const instanceUrl = await startHost((request, response) => {
    const [, answer] = answers.find(([path]) => path.test(request.url ?? "")) ?? [];
    response.writeHead(answer ? 200 : 404).end(JSON.stringify(answer ?? [{ errorCode: "NOT_FOUND", message: "" }]));
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
    for (const object of ["Account", "Contact", "Case", "CaseComment", "EmailMessage"] as const) await map(key, object);
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
