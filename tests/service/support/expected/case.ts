import { type Expectation, expectRecord } from "@/tests/service/support/expected/expectation";
import { CASE_PRIORITY, CASE_STATUS, meaning } from "@/tests/service/support/expected/picklists";
import type { SourceContext } from "@/tests/service/support/expected/source-context";
import type { SourceRecord } from "@/tests/service/support/source-org";

export function expectCase(source: SourceRecord, context: SourceContext): Expectation {
  const status = meaning(CASE_STATUS, source.Status, source.IsClosed === true ? "closed" : "new");
  const priority = meaning(CASE_PRIORITY, source.Priority, "medium");
  return expectRecord("cases", source, context, {
    copied: {
      case_number: "CaseNumber",
      description: "Description",
      type: "Type",
      origin: "Origin",
      reason: "Reason",
      is_escalated: "IsEscalated",
      supplied_name: "SuppliedName",
      supplied_email: "SuppliedEmail",
    },
    moments: { closed_at: "ClosedDate" },
    links: { account_id: "AccountId", contact_id: "ContactId", parent_case_id: "ParentId" },
    worked: {
      subject: source.Subject ?? "(no subject)",
      status: status.value,
      priority: priority.value,
      // Salesforce stores neither.
      escalated_at: null,
      escalation_reason: null,
    },
    carried: ["Subject", ...(status.saysAll ? ["Status"] : []), ...(priority.saysAll ? ["Priority"] : [])],
  });
}
