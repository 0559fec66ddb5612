import { fieldLabel } from "@/components/ui/text/format";
import type { PreviewedField, PreviewedLink, PreviewedRecord, SampledAs } from "@/lib/migration/preview/preview-schema";

/** What a run makes of a record: on its badge, and in a sentence. */
export const OUTCOMES: Record<PreviewedRecord["outcome"], { label: string; words: string; color: string }> = {
  created: { label: "Created", words: "created", color: "pine" },
  updated: { label: "Updated", words: "updated", color: "pine" },
  unchanged: { label: "Unchanged", words: "left unchanged", color: "gray" },
  skipped: { label: "Skipped", words: "skipped", color: "amber" },
  failed: { label: "Fails", words: "not imported", color: "rust" },
  merged: { label: "Merged", words: "merged into another one", color: "sky" },
};

export const SAMPLED_AS: Record<SampledAs, string> = {
  first: "the first one",
  middle: "from the middle",
  last: "the newest",
  most_filled: "with most values",
  at_risk: "named by a risk of the report",
  asked: "you asked for it",
};

interface ChangeWords {
  label: string;
  isLoss?: boolean;
}

type Change = NonNullable<PreviewedField["change"]>;

/** What happens to a value. Those with `isLoss` deserve a look. */
const CHANGES: Record<Change, ChangeWords> = {
  same: { label: "Kept as it is" },
  converted: { label: "Written in another form" },
  shortened: { label: "Shortened; the whole text is kept as a custom field", isLoss: true },
  replaced: { label: "Replaced; the original is kept as a custom field", isLoss: true },
  not_taken: { label: "The field cannot take it; it is kept as a custom field", isLoss: true },
  custom_field: { label: "Kept as a custom field" },
  link: { label: "Linked" },
  owner: { label: "Owned by a member" },
  left_out: { label: "Left out", isLoss: true },
};

const NO_OWNER: ChangeWords = { label: "No owner: not a member", isLoss: true };

/** The record itself is left out. */
const NOT_STORED: ChangeWords = { label: "Not stored" };

export function changeWords({ change, value }: Pick<PreviewedField, "change" | "value">): ChangeWords {
  if (change === null) return NOT_STORED;
  return change === "owner" && value === null ? NO_OWNER : CHANGES[change];
}

export const LINK_STATES: Record<PreviewedLink["state"], string> = {
  linked: "Linked",
  heals: "Empty until its record is here",
  kept: "Stays empty; the id is kept",
  not_stored: "Not stored",
};

export function fieldsInWords(fields: readonly string[]): string {
  return fields.map(fieldLabel).join(", ");
}
