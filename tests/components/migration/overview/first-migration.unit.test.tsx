import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";

import { queryKeys } from "@/components/api/query-keys";
import { MigrationOverview } from "@/components/migration/overview/migration-overview";
import type { Connection } from "@/lib/migration/connections/connection-schema";
import { markupOf } from "@/tests/components/support/app-router";

const ORG: Connection = {
  connection_id: "01890000-0000-7000-8000-000000000000",
  created_at: "2026-11-02T09:30:00.000Z",
  created_by_id: "01890000-0000-7000-8000-000000000001",
  ext_instance_url: "https://acme.my.salesforce.com",
  org_name: "Acme",
  username: "ada@acme.example",
  renewable: true,
  migrations_under_way: 0,
};

/** A list of one page in the cache. */
const pageOf = (data: unknown[]) => ({ pages: [{ data, next_cursor: null, has_more: false }], pageParams: [""] });

test("an org without a migration, as after a refused analysis, can be disconnected before the first one", () => {
  const queries = new QueryClient();
  queries.setQueryData(queryKeys.migrations(), pageOf([]));
  queries.setQueryData(queryKeys.connections(), pageOf([ORG]));
  const page = markupOf(<MigrationOverview />, queries);
  expect(page).toContain("Connect a Salesforce org");
  expect(page).toMatch(/Acme<\/bdi>.*Disconnect</);
});
