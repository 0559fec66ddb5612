import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";

import { queryKeys } from "@/components/api/query-keys";
import { ProofPage } from "@/components/migration/proof/proof-page";
import type { Migration } from "@/lib/migration/migration-schema";
import { markupOf } from "@/tests/components/support/app-router";

const ID = "01890000-0000-7000-8000-000000000000";

function shown(outcome: Partial<Migration>, proof?: object): string {
  const queries = new QueryClient();
  const migration = { migration_id: ID, status: "completed", connected: true, has_proof: false, ...outcome };
  queries.setQueryData(queryKeys.migration(ID), migration);
  if (proof) queries.setQueryData(queryKeys.proof(ID), proof);
  return markupOf(<ProofPage id={ID} />, queries);
}

test("a run that has ended can be compared with its org", () => {
  expect(shown({})).not.toContain("disabled");
  expect(shown({})).toContain("Back to the outcome");
});

test("while a run is at work, the page says when it can be compared, and leads back to the progress", () => {
  const words = shown({ status: "running" });
  expect(words).toContain("It can be compared once the migration has come to its end.");
  expect(words).toContain("disabled");
  expect(words).toContain("Back to the progress");
});

test("a disconnected org cannot be compared, and the page says what to do", () => {
  const words = shown({ connected: false });
  expect(words).toContain("The Salesforce org is disconnected. To compare this migration, connect the org again");
  expect(words).toContain("disabled");
});

test("what was undone needs no other connection", () => {
  expect(shown({ status: "undone", connected: false })).toContain("nothing left to compare");
  expect(shown({ status: "undone", connected: false })).not.toContain("disconnected");
});

test("a comparison that lost its access asks for new access to the same migration", () => {
  const failure = { code: "source_token_refused", detail: "The access token has expired.", remedy: "" };
  const words = shown({ has_proof: true }, { status: "failed", failure });
  expect(words).toContain("Give new access");
  expect(words).not.toContain("/migration/new");
});

test.each(["running", "undoing", "undone"] as const)("it offers no access that a migration refuses: %s", (status) => {
  const failure = { code: "source_token_refused", detail: "The access token has expired.", remedy: "" };
  const words = shown({ status, has_proof: true }, { status: "failed", failure });
  expect(words).toContain("The access token has expired.");
  expect(words).not.toContain("Give new access");
});
