import { sumOf } from "@/lib/migration/report/left-out";
import { counted, type RiskCheck } from "@/lib/migration/report/risk-check";
import { isTaken } from "@/lib/migration/report/taken";

const RESTORE =
  "Give the user “View All” for Cases, or restore the cases if they are still in the recycle bin, and analyze again. Where a case is gone for good, " +
  "nothing can be done: export such records if you need them (Setup › Data Export).";

/** Comments whose case lies in the recycle bin, or is hidden from the user: a comment cannot be without its case. */
export const orphanedComments: RiskCheck = ({ leftOut }) => {
  const comments = sumOf(leftOut.CaseComment ?? [], "failed");
  if (comments === 0) return [];
  return [
    {
      severity: "warning",
      code: "comments_without_case",
      object: "CaseComment",
      count: comments,
      title: `${counted(comments, "case comment has", "case comments have")} lost their case`,
      detail: "Their case was deleted, or the Salesforce user cannot read it. They cannot be imported; the run lists each with its id.",
      recommended_action: RESTORE,
    },
  ];
};

/** E-mails of cases that are not imported. */
export const orphanedEmails: RiskCheck = (facts) => {
  const emails = sumOf(facts.leftOut.EmailMessage ?? [], "failed");
  if (emails === 0) return [];
  const cause = isTaken(facts, "Case") ? "Their case was deleted, or the Salesforce user cannot read it." : "The Salesforce user cannot read Cases.";
  return [
    {
      severity: "warning",
      code: "emails_without_case",
      object: "EmailMessage",
      count: emails,
      title: `${counted(emails, "e-mail belongs", "e-mails belong")} to cases that will not be there`,
      detail: `${cause} They cannot be imported; the run lists each with its id. E-mails that belong to no case are imported as activities.`,
      recommended_action: RESTORE,
    },
  ];
};
