import { afterEach, expect, test } from "vitest";

import { SOURCE_OBJECTS } from "@/lib/migration/objects/source-objects";
import type { Plan } from "@/lib/migration/pipeline/map/plan";
import { countGroups } from "@/lib/migration/pipeline/read/count-groups";
import { readByIds } from "@/lib/migration/pipeline/read/read-by-ids";
import { readAsked, sampleRecords } from "@/lib/migration/preview/sample-records";
import { openClient, type SalesforceClient } from "@/lib/salesforce/client";
import { newId } from "@/lib/ids";
import { startHost, stopHosts } from "@/tests/support/hosts";

afterEach(stopHosts);

function idOf(number: number): string {
  return `500${String(number).padStart(12, "0")}AAA`;
}

/** A host that always has 2,000 records behind those that it has given. */
async function endless(): Promise<SalesforceClient> {
  const instanceUrl = await startHost((request, response) => {
    const soql = new URL(request.url ?? "", "http://host").searchParams.get("q") ?? "";
    const after = Number(/Id > '500(\d+)AAA'/.exec(soql)?.[1] ?? 0);
    const records = Array.from({ length: 2000 }, (_, n) => ({ Id: idOf(after + n + 1) }));
    response.end(JSON.stringify({ totalSize: 2000, done: false, records }));
  });
  return openClient({ instanceUrl, accessToken: "token", apiVersion: "67.0", retry: { retries: 0 } });
}

function readingOf(client: SalesforceClient) {
  const plan = { object: SOURCE_OBJECTS.Case, select: ["Id", "CreatedDate"] } as unknown as Plan;
  return { client, plan, window: { until: new Date() }, signal: new AbortController().signal };
}

test.each<[string, (client: SalesforceClient) => Promise<unknown>]>([
  ["a sample", (client) => sampleRecords(readingOf(client), 5, newId())],
  ["records by their ids", (client) => readAsked(readingOf(client), [idOf(1), idOf(2)])],
  ["records that others name", (client) => readByIds(client, { from: "Case", key: "Id", fields: [] }, [idOf(1)])],
])("a host that sends more records than were asked for is read no further: %s", async (_, read) => {
  const client = await endless();
  await expect(read(client)).rejects.toMatchObject({
    code: "source_not_salesforce",
    message: "Salesforce returned more records of Case than were requested.",
  });
  expect(client.requests).toBeLessThanOrEqual(2);
});

test.each([
  ["too long", "5".repeat(8000)],
  ["no text", { toString: null }],
])("a value by which nothing is grouped, which is %s, is not kept", async (_, OwnerId) => {
  const answer = JSON.stringify({ totalSize: 1, done: true, records: [{ OwnerId, records: 1 }] });
  const instanceUrl = await startHost((_request, response) => response.end(answer));
  const client = openClient({ instanceUrl, accessToken: "token", apiVersion: "67.0" });
  await expect(countGroups(client, "Case", "OwnerId", [])).rejects.toMatchObject({ code: "source_not_salesforce" });
});
