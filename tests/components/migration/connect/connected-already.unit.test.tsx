import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";

import { queryKeys } from "@/components/api/query-keys";
import { ConnectedAlready } from "@/components/migration/connect/connected-already";
import { markupOf } from "@/tests/components/support/app-router";

const ACME = "https://acme.my.salesforce.com";

test("an org that this service can read already is offered without another token; another one is not", () => {
  const queries = new QueryClient();
  const org = { connection_id: "1", ext_instance_url: ACME, username: "ann@acme.example" };
  const page = { data: [org], next_cursor: null, has_more: false };
  queries.setQueryData(queryKeys.connections(), { pages: [page], pageParams: [""] });
  const shown = markupOf(<ConnectedAlready instanceUrl={ACME} />, queries);
  expect(shown).toContain("ann@acme.example");
  expect(shown).toContain("Analyze by this connection");
  expect(markupOf(<ConnectedAlready instanceUrl="https://beta.my.salesforce.com" />, queries)).not.toContain("Analyze");
});
