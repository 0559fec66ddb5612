import { counted, type RiskCheck, sees } from "@/lib/migration/report/risk-check";
import { countRecords } from "@/lib/migration/report/survey";

/** Comments whose case lies in the recycle bin, or is hidden from the user: a comment cannot be without its case. */
export const orphanedComments: RiskCheck = async (facts) => {
  if (!sees(facts, "CaseComment", "ParentId") || !sees(facts, "Case", "Id")) return [];
  const comments = await countRecords(facts.client, "CaseComment", ["ParentId NOT IN (SELECT Id FROM Case WHERE IsDeleted = false)"]);
  if (!comments) return [];
  return [
    {
      severity: "warning",
      code: "comments_without_case",
      object: "CaseComment",
      count: comments,
      title: `${counted(comments, "case comment has", "case comments have")} lost their case`,
      detail: "Their case was deleted, or the Salesforce user cannot read it. They cannot be imported; the run lists each with its id.",
      remedy:
        "Give the user “View All” for Cases, or restore the cases if they are still in the recycle bin, and analyze again. Where a case is gone for " +
        "good, nothing can be done: export such comments if you need them (Setup › Data Export).",
    },
  ];
};
