import { formatNumber } from "@/components/ui/text/format";
import type { IssueGroups } from "@/lib/migration/issue-schema";
import { objectName } from "@/lib/migration/objects/source-object-names";

export type IssueGroup = IssueGroups["data"][number];

/** The phrases for one record and for several, by issue code. Other codes are described by their reasons alone. */
const WORDS: Record<string, [one: string, several: string]> = {
  mirrored_by_email: ["is a copy of an e-mail that is here", "are copies of e-mails that are here"],
  invitee_copy: ["is an invitee's copy of a group event", "are invitees' copies of group events"],
  recurrence_series: ["is the pattern of a recurring series", "are patterns of recurring series"],
  mirrored_in_feed: ["only shows a record that is imported itself", "only show records that are imported themselves"],
  feed_notice: ["has no content of its own", "have no content of their own"],
  edited_here: ["was edited here and stays so", "were edited here and stay so"],
  undecided: ["was edited here and waits for a decision", "were edited here and wait for a decision"],
  deleted_here: ["was deleted here", "were deleted here"],
  deleted_in_source: ["was deleted in Salesforce meanwhile", "were deleted in Salesforce meanwhile"],
  parent_not_here: ["names a record that is not here", "name records that are not here"],
  missing_parent: ["belongs to a case that was not imported", "belong to cases that were not imported"],
  id_taken: ["is here with another external id", "are here with other external ids"],
  not_storable: ["could not be stored", "could not be stored"],
  too_large: ["has too large custom fields", "have too large custom fields"],
  invalid_created_date: ["has no date of creation", "have no date of creation"],
};

const DEFAULT_WORDS = {
  skipped: ["was skipped on purpose", "were skipped on purpose"],
  failed: ["failed", "failed"],
} as const;

function singularOf(plural: string): string {
  return plural.replace(/ies$/, "ys").replace(/s$/, "");
}

/** "167 tasks are copies of e-mails that are here". */
export function groupInWords({ object, outcome, code, count }: IssueGroup): string {
  const name = objectName(object).toLowerCase();
  const [one, several] = (Object.hasOwn(WORDS, code) ? WORDS[code] : undefined) ?? DEFAULT_WORDS[outcome];
  return count === 1 ? `1 ${singularOf(name)} ${one}` : `${formatNumber(count)} ${name} ${several}`;
}
