import { expect, test } from "vitest";

import { groupInWords, type IssueGroup } from "@/components/migration/migrate/issues/issue-words";

function group(changes: Partial<IssueGroup>): IssueGroup {
  return {
    object: "Task",
    outcome: "skipped",
    code: "mirrored_by_email",
    reason: null,
    remedy: null,
    count: 2,
    ...changes,
  };
}

test("a group of left-out records is described in singular and plural, with known and unknown reasons", () => {
  expect(groupInWords(group({ count: 1670 }))).toBe("1,670 tasks are copies of e-mails that are here");
  expect(groupInWords(group({ count: 1, object: "Event", code: "invitee_copy" }))).toBe(
    "1 event is an invitee's copy of a group event",
  );
  expect(groupInWords(group({ count: 1, object: "Opportunity", code: "late", outcome: "failed" }))).toBe(
    "1 opportunity failed",
  );
  expect(groupInWords(group({ code: "brand_new" }))).toBe("2 tasks were skipped on purpose");
  expect(groupInWords(group({ code: "toString", outcome: "failed", object: "Case" }))).toBe("2 cases failed");
});
