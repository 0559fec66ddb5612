import { expect, test } from "vitest";

import { RunControls } from "@/components/migration/control/run-controls";
import type { Migration } from "@/lib/migration/migration-schema";
import { markupOf } from "@/tests/components/support/app-router";

const REFUSED = {
  code: "source_token_refused",
  detail: "Salesforce refuses it.",
  remedy: "Then resume the migration.",
};

/** What the page of a paused run asks for, and the variant of its button that resumes the run. */
function shownAfter(failure: Migration["failure"]) {
  const migration = { migration_id: "019e01aa-5280-7f58-b914-5b24d108d7ac", status: "paused", failure, objects: [] };
  const page = markupOf(<RunControls migration={migration as unknown as Migration} />);
  const resume = /<button[^>]*data-variant="(\w+)"[^>]*>(?:(?!<\/button>).)*Resume/.exec(page)?.[1];
  return { asksForAccess: page.includes("Give new access"), resume };
}

test("a run that lost its access asks for new access, and one that Salesforce refuses is only resumed", () => {
  expect(shownAfter(REFUSED)).toEqual({ asksForAccess: true, resume: "default" });
  expect(shownAfter({ ...REFUSED, denied: true })).toEqual({ asksForAccess: false, resume: "filled" });
  expect(shownAfter(null)).toEqual({ asksForAccess: false, resume: "filled" });
});
