import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";

import { queryKeys } from "@/components/api/query-keys";
import { type Editing, EditingContext } from "@/components/migration/configure/draft/use-draft";
import { OwnersPart } from "@/components/migration/configure/owners/owners-part";
import { configurationSchema } from "@/lib/migration/configuration/configuration-schema";
import { markupOf } from "@/tests/components/support/app-router";

const PEOPLE = queryKeys.records("users", "all");

function shown(fallback: string | null, queries: QueryClient): string {
  const draft = configurationSchema.parse({ owners: { fallback } });
  const editing = { migration: { migration_id: "m" }, draft, isLocked: false, isChanged: false };
  return markupOf(
    <EditingContext value={editing as unknown as Editing}>
      <OwnersPart />
    </EditingContext>,
    queries,
  );
}

/** The option of the fallback owner that is chosen. */
function chosen(fallback: string | null): string | undefined {
  const queries = new QueryClient();
  queries.setQueryData(PEOPLE, [{ id: "a", name: "Ann", email: "ann@acme.example" }]);
  return /<option[^>]* selected=""[^>]*>([^<]*)</.exec(shown(fallback, queries))?.[1];
}

test("the fallback owner is shown, also one who can no longer sign in and still owns what would have no owner", () => {
  expect(chosen("a")).toBe("Ann (ann@acme.example)");
  expect(chosen("b")).toBe("A disabled or removed member");
  expect(chosen(null)).toBe("Nobody");
});

test("while the members are loaded, no owner is shown in place of the chosen one", () => {
  expect(shown("a", new QueryClient())).toContain('aria-busy="true"');
  expect(shown("a", new QueryClient())).not.toContain("Nobody");
});

test("members that could not be loaded are reported", async () => {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false, retryOnMount: false } } });
  await queries.prefetchQuery({ queryKey: PEOPLE, queryFn: () => Promise.reject(new Error("no network")) });
  expect(shown("a", queries)).toContain("Try again");
  expect(shown("a", queries)).not.toContain("Nobody");
});
