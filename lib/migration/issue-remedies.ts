/** What to do about records that a run left out, by the code of the reason. Absent: there is nothing to do. */
const REMEDIES: Readonly<Record<string, string>> = {
  invalid_created_date: "Correct CreatedDate in Salesforce, and retry what failed.",
  too_large: "Leave that field out in the configuration, and retry what failed.",
  not_storable: "Change the record in Salesforce, and retry what failed.",
  missing_parent:
    "If the case failed, mend why, and retry what failed. Else give the Salesforce user access to it, select Cases, " +
    "and run again.",
  parent_not_here:
    "Import the record that it names, or choose in the configuration to keep its id. Then retry what failed.",
  deleted_here: "Restore the record here to have it updated by the next run.",
  gone_in_source: "If the Salesforce user may no longer see it, give the access back and run again.",
  edited_here:
    "To take the values of the source after all, choose in the configuration that the source wins, and run again.",
  undecided: "Decide which values the record keeps; until then it keeps those that it has here.",
};

/** What to do about a record that was left out for a reason; null if there is nothing to do. */
export function remedyOf(code: string): string | null {
  return REMEDIES[code] ?? null;
}
