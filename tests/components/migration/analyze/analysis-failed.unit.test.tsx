import { expect, test } from "vitest";

import { AnalysisFailed } from "@/components/migration/analyze/analysis-failed";
import type { Migration } from "@/lib/migration/migration-schema";
import { markupOf } from "@/tests/components/support/app-router";

function shown(code: string, denied?: boolean): string {
  const failure = { code, denied, detail: "It stopped.", remedy: "Wait. Then analyze the org again." };
  const migration = { ext_instance_url: "https://acme.my.salesforce.com", failure } as Migration;
  return markupOf(<AnalysisFailed migration={migration} />);
}

test("an analysis that kept its access is made again by that, and one that lost it asks for new access", () => {
  expect(shown("source_unreachable")).toContain("use=connection");
  expect(shown("source_unreachable")).toContain("Analyze again");
  expect(shown("source_token_refused")).toContain("Connect again");
  expect(shown("source_token_refused")).not.toContain("use=connection");
});

test("an analysis whose user, app or address Salesforce refuses is made again by the access that is there", () => {
  expect(shown("source_token_refused", true)).toContain("use=connection");
  expect(shown("source_token_refused", true)).not.toContain("Connect again");
});
