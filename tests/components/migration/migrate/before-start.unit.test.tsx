import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";

import { queryKeys } from "@/components/api/query-keys";
import { BeforeStart } from "@/components/migration/migrate/before-start";
import { configurationSchema } from "@/lib/migration/configuration/configuration-schema";
import type { Migration } from "@/lib/migration/migration-schema";
import { markupOf } from "@/tests/components/support/app-router";

const ID = "01890000-0000-7000-8000-000000000000";

function shown(counts: Record<string, number | null>): string {
  const queries = new QueryClient();
  const inventory = Object.entries(counts).map(([object, count]) => {
    return { object, label: object, status: "automatic", resource: "accounts", count, left_out: [], fields: [] };
  });
  const estimate = { records: 12, seconds: 1, api_calls: 1, api_calls_remaining: null, timeline: [], files: null };
  queries.setQueryData(queryKeys.report(ID), { inventory, estimate });
  queries.setQueryData(queryKeys.configuration(ID), { value: configurationSchema.parse({}), tag: null });
  const migration = { migration_id: ID, connected: true, phases: [], objects: [] } as unknown as Migration;
  // React marks where one text ends and the next begins.
  return markupOf(<BeforeStart migration={migration} />, queries).replaceAll("<!-- -->", "");
}

test("the records that will be read are counted, and at least those where an object was not counted", () => {
  expect(shown({ Account: 12 })).toContain(">12 records will be read<");
  expect(shown({ Account: 12 })).toContain("12 records will be imported.");
  expect(shown({ Account: 12, Contact: null })).toContain(">At least 12 records will be read<");
  expect(shown({ Account: null })).toContain(">An unknown number of records will be read<");
  expect(shown({ Account: 12, Contact: null })).not.toContain("will be imported.");
});
