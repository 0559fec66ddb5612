import { expect, test } from "vitest";

import type { ReportFacts } from "@/lib/migration/report/facts";
import { orphanedComments, orphanedEmails } from "@/lib/migration/report/risks/left-out";
import type { LeftOut } from "@/lib/migration/report/wording";

const factsOf = (count: number | null) => {
  const failed: LeftOut = { outcome: "failed", code: "missing_parent", count };
  const leftOut = { CaseComment: [failed], EmailMessage: [failed] };
  return { leftOut, survey: { objects: [] }, mappings: {} } as unknown as ReportFacts;
};

test.each([
  [1, "1 case comment has lost its case", "1 e-mail belongs to a case that will not be imported"],
  [1300, "1,300 case comments have lost their case", "1,300 e-mails belong to cases that will not be imported"],
  [null, "Some case comments may have lost their case", "Some e-mails may belong to cases that will not be imported"],
])("records without a case are warned of, also if they could not be counted: %s", async (count, comments, emails) => {
  const facts = factsOf(count);
  expect([await orphanedComments(facts), await orphanedEmails(facts)]).toMatchObject([
    [{ severity: "warning", count, title: comments }],
    [{ severity: "warning", count, title: emails }],
  ]);
});

test("records that are skipped on purpose have not lost their case", async () => {
  const facts = { ...factsOf(0), leftOut: { CaseComment: [{ outcome: "skipped", code: "invitee_copy", count: 3 }] } };
  expect(await orphanedComments(facts as unknown as ReportFacts)).toEqual([]);
});
