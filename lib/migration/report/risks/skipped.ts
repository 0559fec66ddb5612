import { type LeftOut, phraseOf, totalOf } from "@/lib/migration/report/left-out";
import type { RiskCheck } from "@/lib/migration/report/risk-check";
import type { Risk } from "@/lib/migration/schemas";

/** Salesforce makes a task of every e-mail. */
export const copiesOfEmails: RiskCheck = ({ leftOut }) =>
  skipped(leftOut.Task, "mirrored_by_email", {
    code: "copies_of_emails",
    object: "Task",
    detail:
      "Salesforce makes a task of each e-mail that says the same. The e-mails themselves are imported, with what only their tasks say. After the " +
      "run each skipped task is listed with the e-mail that stands in its place.",
    recommended_action: "Nothing.",
  });

/** The pattern of a series is no activity where its occurrences are. */
export const recurringSeries: RiskCheck = ({ leftOut }) =>
  skipped([...(leftOut.Task ?? []), ...(leftOut.Event ?? [])], "recurrence_series", {
    code: "recurring_series",
    object: null,
    detail:
      "Every occurrence of a series is a record of its own and is imported. Its pattern is skipped; one that has no occurrence is imported. After the " +
      "run each skipped pattern is listed with its reason.",
    recommended_action: "Nothing.",
  });

/** Every invitee has a copy of a group event. */
export const inviteeCopies: RiskCheck = ({ leftOut }) =>
  skipped(leftOut.Event, "invitee_copy", {
    code: "invitee_copies",
    object: "Event",
    detail:
      "They say the same as the organizer's own event, which is imported if the Salesforce user can read it. After the run each is listed with its reason.",
    recommended_action:
      "Nothing, if the Salesforce user has “View All Data”. If not, give the user that permission (Setup › Permission Sets), and analyze again.",
  });

function skipped(leftOut: readonly LeftOut[] = [], code: LeftOut["code"], risk: Omit<Risk, "severity" | "count" | "title">): Risk[] {
  const entries = leftOut.filter((entry) => entry.code === code);
  if (entries.length === 0) return [];
  const count = totalOf(entries);
  const phrase = phraseOf({ code, count });
  return [{ ...risk, severity: "info", count, title: `${phrase.charAt(0).toUpperCase()}${phrase.slice(1)} will be skipped` }];
}
