import { formatCount } from "@/lib/amounts";
import { type RiskCheck, isImportable } from "@/lib/migration/report/facts";
import type { Risk } from "@/lib/migration/report/report-schema";
import { type LeftOut, describeLeftOut, totalLeftOut } from "@/lib/migration/report/wording";

const RESTORE =
  "Give the user “View All” for Cases, or restore the cases if they are still in the recycle bin, and analyze " +
  "again. If a case is deleted for good, export its records if you need them (Setup › Data Export).";

function failedOf(leftOut: readonly LeftOut[] = []): LeftOut[] {
  return leftOut.filter(({ outcome }) => outcome === "failed");
}

/** Comments whose case is in the recycle bin or hidden from the user. A comment cannot exist without its case. */
export const orphanedComments: RiskCheck = ({ leftOut }) => {
  const failed = failedOf(leftOut.CaseComment);
  if (failed.length === 0) return [];
  const comments = totalLeftOut(failed);
  return [
    {
      severity: "warning",
      code: "comments_without_case",
      object: "CaseComment",
      count: comments,
      title:
        comments === null
          ? "Some case comments may have lost their case"
          : formatCount(comments, "case comment has lost its case", "case comments have lost their case"),
      detail:
        "Their case was deleted, or the Salesforce user cannot read it. They cannot be imported; the run lists " +
        "each with its id.",
      recommended_action: RESTORE,
    },
  ];
};

/** E-mails whose case is not imported. */
export const orphanedEmails: RiskCheck = (facts) => {
  const failed = failedOf(facts.leftOut.EmailMessage);
  if (failed.length === 0) return [];
  const emails = totalLeftOut(failed);
  const cause = isImportable(facts, "Case")
    ? "Their case was deleted, or the Salesforce user cannot read it."
    : "The Salesforce user cannot read Cases.";
  return [
    {
      severity: "warning",
      code: "emails_without_case",
      object: "EmailMessage",
      count: emails,
      title:
        emails === null
          ? "Some e-mails may belong to cases that will not be imported"
          : formatCount(
              emails,
              "e-mail belongs to a case that will not be imported",
              "e-mails belong to cases that will not be imported",
            ),
      detail:
        `${cause} They cannot be imported; the run lists each with its id. E-mails that belong to no case are ` +
        "imported as activities.",
      recommended_action: RESTORE,
    },
  ];
};

/** Salesforce creates a task for every e-mail. */
export const copiesOfEmails: RiskCheck = ({ leftOut }) =>
  skippedRisk(leftOut.Task, "mirrored_by_email", {
    code: "copies_of_emails",
    object: "Task",
    detail:
      "Salesforce creates a task with the same content for each e-mail. The e-mails themselves are imported, " +
      "together with what only their tasks contain. Open tasks are imported as well: they are to-dos. After the run " +
      "each skipped task is listed with its e-mail.",
    recommended_action: "Nothing.",
  });

/** The pattern of a series is skipped if its occurrences are imported. */
export const recurringSeries: RiskCheck = ({ leftOut }) =>
  skippedRisk([...(leftOut.Task ?? []), ...(leftOut.Event ?? [])], "recurrence_series", {
    code: "recurring_series",
    object: null,
    detail:
      "Every occurrence of a series is a separate record and is imported. Its pattern is skipped; one that has no " +
      "occurrence is imported. After the run each skipped pattern is listed with its reason.",
    recommended_action: "Nothing.",
  });

/** Every invitee has a copy of a group event. */
export const inviteeCopies: RiskCheck = ({ leftOut }) =>
  skippedRisk(leftOut.Event, "invitee_copy", {
    code: "invitee_copies",
    object: "Event",
    detail:
      "They repeat the event of the organizer, which is imported if the Salesforce user can read it. After the run " +
      "each is listed with its reason.",
    recommended_action:
      "Nothing, if the Salesforce user has “View All Data”. If not, give the user that permission (Setup › " +
      "Permission Sets), and analyze again.",
  });

/** Posts in the feeds of cases that repeat other records, or say nothing. */
export const postsWithoutContent: RiskCheck = ({ leftOut }) => [
  ...skippedRisk(leftOut.FeedItem, "mirrored_in_feed", {
    code: "posts_of_records",
    object: "FeedItem",
    detail:
      "Salesforce also shows case comments, e-mails, calls and tasks as posts in the feed of a case. They are " +
      "imported as what they are. After the run each skipped post is listed with its record.",
    recommended_action: "Nothing.",
  }),
  ...skippedRisk(leftOut.FeedItem, "feed_notice", {
    code: "feed_notices",
    object: "FeedItem",
    detail:
      "Salesforce notes in the feed of a case that a field or the status changed, or that an article was attached. A " +
      "note without text is skipped; one with a text is imported.",
    recommended_action: "Nothing. If you need the history of fields, export it (Setup › Data Export).",
  }),
];

function skippedRisk(
  leftOut: readonly LeftOut[] = [],
  code: LeftOut["code"],
  risk: Omit<Risk, "severity" | "count" | "title">,
): Risk[] {
  const entries = leftOut.filter((entry) => entry.code === code);
  if (entries.length === 0) return [];
  const count = totalLeftOut(entries);
  const phrase = describeLeftOut({ code, count });
  return [
    { ...risk, severity: "info", count, title: `${phrase.charAt(0).toUpperCase()}${phrase.slice(1)} will be skipped` },
  ];
}
