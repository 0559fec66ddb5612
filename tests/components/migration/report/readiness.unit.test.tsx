import { expect, test } from "vitest";

import { Readiness } from "@/components/migration/report/readiness";
import { readinessOf } from "@/lib/migration/report/readiness";
import type { Report } from "@/lib/migration/report/report-schema";
import { markupOf } from "@/tests/components/support/app-router";

function shown(counts: Record<string, number | null>, hasRun = false): string {
  const inventory = Object.entries(counts).map(([object, count]) => ({
    object,
    status: object.endsWith("__c") ? "not_supported" : "automatic",
    count,
    left_out: [],
  })) as unknown as Report["inventory"];
  const estimate = { records: 12, imported: 12, seconds: 1, api_calls: 1, api_calls_remaining: null, timeline: [] };
  const report = {
    generated_at: "2026-11-20T08:00:00.000Z",
    org: { api_version: "67.0", is_sandbox: null },
    analyzed_as: { username: null },
    readiness: readinessOf([], estimate as unknown as Report["estimate"], inventory),
    inventory,
    estimate,
  };
  return markupOf(<Readiness report={report as unknown as Report} hasRun={hasRun} />);
}

test("the records to be imported are those that were counted, or at least those", () => {
  expect(shown({ Account: 12, Log__c: null })).toMatch(/12 records will be imported\..*>12 records</s);
  expect(shown({ Account: 12, Contact: null })).toMatch(
    /At least 12 records will be imported\..*>At least 12 records</s,
  );
  expect(shown({ Account: 12, Contact: null }, true)).toContain(">At least 12 records<");
});
