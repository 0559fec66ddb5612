import { type QueryKey, QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";

import { Problem } from "@/components/api/problem";
import { queryKeys } from "@/components/api/query-keys";
import { ConfigureStep, SaveRefusal } from "@/components/migration/configure/configure-step";
import { type Editing, EditingContext } from "@/components/migration/configure/draft/use-draft";
import { configurationSchema } from "@/lib/migration/configuration/configuration-schema";
import { markupOf } from "@/tests/components/support/app-router";

const ID = "01890000-0000-7000-8000-000000000000";
const OUTAGE = new Problem({
  title: "The service cannot be used",
  detail: "Wait a few seconds.",
  status: 503,
  code: "service_unavailable",
});

const REPORT = {
  inventory: [],
  mappings: [],
  estimate: { timeline: [], api_calls: 0, api_calls_remaining: null, files: null, records: 0, seconds: 0 },
};

/** A cache that holds all that the step shows. */
function filled(): QueryClient {
  const queries = new QueryClient();
  queries.setQueryData(queryKeys.migration(ID), { migration_id: ID, status: "ready", run_number: 0 });
  queries.setQueryData(queryKeys.report(ID), REPORT);
  queries.setQueryData(queryKeys.configuration(ID), { value: configurationSchema.parse({}), tag: '"1"' });
  return queries;
}

/** As after a refusal of a later read. */
function fail(queries: QueryClient, queryKey: QueryKey): void {
  queries.getQueryCache().find({ queryKey })?.setState({ status: "error", error: OUTAGE });
}

test.each(["report", "configuration", "migration"] as const)(
  "choices that are being made stay where the %s cannot be read again",
  (part) => {
    const queries = filled();
    fail(queries, queryKeys[part](ID));
    const markup = markupOf(<ConfigureStep id={ID} isAdmin keepsFiles />, queries);
    expect(markup).toContain("What is migrated");
    expect(markup).not.toContain(OUTAGE.title);
  },
);

test("nobody is told what changes count for once the migration is undone", () => {
  const queries = filled();
  const markupFor = (status: string) => {
    queries.setQueryData(queryKeys.migration(ID), { migration_id: ID, status, run_number: 1 });
    return markupOf(<ConfigureStep id={ID} isAdmin keepsFiles />, queries);
  };
  expect(markupFor("completed")).toContain("counts from the next run on");
  for (const status of ["undoing", "undone"]) expect(markupFor(status)).not.toMatch(/next run|next page/);
});

/** What is said of a refused save of the choices with the tag "1", while the draft is over those with `tag`. */
function saidOfRefusal(error: Problem, { isTold = false, tag = "1" }): string {
  const editing = { isChanged: true, tag } as unknown as Editing;
  return markupOf(
    <EditingContext value={editing}>
      <SaveRefusal save={{ error, variables: { tag: "1" } }} isTold={isTold} onStale={() => undefined} />
    </EditingContext>,
  );
}

test("a save that came too late is told, also where what is saved by now cannot be read", () => {
  const outdated = new Problem({
    title: "This was changed meanwhile",
    detail: "Nothing was done.",
    status: 412,
    code: "precondition_failed",
  });
  expect(saidOfRefusal(outdated, {})).toMatch(/Nothing was done\..*Try again/s);
  expect(saidOfRefusal(outdated, { isTold: true })).not.toContain("Nothing was done.");
  expect(saidOfRefusal(outdated, { tag: "2" })).not.toContain("Nothing was done.");
  expect(saidOfRefusal(OUTAGE, { isTold: true })).toContain(OUTAGE.title);
});
