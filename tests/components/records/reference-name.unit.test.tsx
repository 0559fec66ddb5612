import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";

import { Problem } from "@/components/api/problem";
import { queryKeys } from "@/components/api/query-keys";
import { ReferenceName } from "@/components/records/reference-link";
import { referenceDetail } from "@/components/records/reference-name";
import { markupOf } from "@/tests/components/support/app-router";

const ID = "01890000-0000-7000-8000-000000000000";

/** The name after the answer of the API. Reads that have failed are not repeated while they are shown. */
function nameAfter(error: Problem, target: "users" | "accounts" = "users"): string {
  const queries = new QueryClient({ defaultOptions: { queries: { retryOnMount: false } } });
  const queryKey = queryKeys.record(target, ID);
  queries.getQueryCache().build(queries, { queryKey }).setState({ status: "error", error });
  return markupOf(<ReferenceName target={target} id={ID} />, queries).replaceAll(/<style.*?<\/style>/gs, "");
}

test("an owner who was removed from the organization is no name that is still loading", () => {
  const missing = new Problem({
    title: "Not found",
    detail: "There is no user with this id.",
    status: 404,
    code: "not_found",
  });
  expect(nameAfter(missing)).toContain("Somebody who has left");
  expect(nameAfter(missing, "accounts")).toContain("A record that is gone");
});

test("nothing is said of somebody whom an outage hides", () => {
  const outage = new Problem({ title: "Unavailable", detail: "Wait.", status: 503, code: "service_unavailable" });
  expect(nameAfter(outage)).not.toContain("left");
});

test("records and people of the same name are told apart where one is chosen", () => {
  const account = { id: ID, name: "Neckar" };
  expect(referenceDetail("contacts", { account, email: "ada@neckar.example" })).toBe("Neckar · ada@neckar.example");
  expect(referenceDetail("contacts", { account: null, email: null })).toBe("");
  expect(referenceDetail("opportunities", { account })).toBe("Neckar");
  expect(referenceDetail("leads", { company: "Neckar", email: null })).toBe("Neckar");
  expect(referenceDetail("accounts", { billing_city: "Ulm" })).toBe("Ulm");
  expect(referenceDetail("users", { email: "ada@example.com" })).toBe("ada@example.com");
});
