import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";

import { queryKeys } from "@/components/api/query-keys";
import { ProofNote } from "@/components/migration/proof/proof-note";
import type { Migration } from "@/lib/migration/migration-schema";
import type { Proof } from "@/lib/migration/proof/proof-schema";
import { markupOf } from "@/tests/components/support/app-router";

const ID = "01890000-0000-7000-8000-000000000000";

/** The note about a run that was compared, and found to be all here. */
function note(proof: Partial<Proof>): string {
  const queries = new QueryClient();
  const proven = { status: "done", run_number: 1, proven: true, objects: [], requested_at: "2026-11-25T08:00:00.000Z" };
  queries.setQueryData(queryKeys.proof(ID), { ...proven, finished_at: null, outdated_by_undo: false, ...proof });
  const migration = { migration_id: ID, connected: true, run_number: 1, has_proof: true } as Migration;
  return markupOf(<ProofNote migration={migration} />, queries).replaceAll(/<(?!button)[^>]*>/g, "");
}

test("a run that is proven need not be compared again", () => {
  expect(note({})).toMatch(/Proven on .*: everything of Salesforce is here/);
  expect(note({})).not.toContain("Compare now");
});

test("a proof from before an undo is told as that, and can be made anew", () => {
  expect(note({ outdated_by_undo: true })).toMatch(/Proven on .*, before an undo: everything of Salesforce was here/);
  expect(note({ outdated_by_undo: true })).toContain("Compare now");
});
