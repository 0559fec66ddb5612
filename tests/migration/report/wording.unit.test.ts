import { expect, test } from "vitest";

import type { FieldReport } from "@/lib/migration/report/report-schema";
import { importSentence, type LeftOut, summarizeFields } from "@/lib/migration/report/wording";

const copies: LeftOut = { outcome: "skipped", code: "mirrored_by_email", count: 789 };
const series: LeftOut = { outcome: "skipped", code: "recurrence_series", count: 1 };
const orphans: LeftOut = { outcome: "failed", code: "missing_parent", count: 1300 };
const unknown: LeftOut = { outcome: "skipped", code: "invitee_copy", count: null };

test.each<[string, number, LeftOut[], string]>([
  ["everything", 1, [], "1 record will be imported."],
  [
    "one reason",
    1000,
    [copies],
    "211 of 1,000 records will be imported; 789 copies of e-mails will be skipped on purpose.",
  ],
  [
    "several reasons, with their sum",
    10_000,
    [copies, series, series],
    "9,209 of 10,000 records will be imported; 791 will be skipped on purpose: 789 copies of e-mails and 2 " +
      "patterns of recurring series.",
  ],
  [
    "what is skipped apart from what fails",
    10_000,
    [orphans, series],
    "8,699 of 10,000 records will be imported; 1 pattern of a recurring series will be skipped on purpose; " +
      "1,300 records without their case cannot be imported.",
  ],
  [
    "what was not counted",
    10,
    [unknown],
    "About 10 of 10 records will be imported; some invitees' copies of events will be skipped on purpose.",
  ],
])("the sentence tells %s", (_, records, leftOut, sentence) => {
  expect(importSentence({ records }, leftOut)).toBe(sentence);
});

const sentenceOf = (records: number, leftOut: LeftOut[] = []) =>
  importSentence({ records, areAllCounted: false }, leftOut);

test("the sentence tells that there may be more records than were counted", () => {
  expect(sentenceOf(12)).toBe("At least 12 records will be imported.");
  expect(sentenceOf(0)).toBe("An unknown number of records will be imported.");
  expect(sentenceOf(12, [series])).toMatch(/^About 11 of at least 12 records will be imported; 1 pattern/);
});

const field = (target: string, verdict: string) => ({ target, fit: { verdict } }) as unknown as FieldReport;

test("fields of which the user sees only masks are not among those that are kept", () => {
  const fields = [field("name", "fits"), field("custom_fields", "custom_field"), field("custom_fields", "left_out")];
  expect(summarizeFields(fields)).toBe("2 of 3 fields are kept, 1 as a custom field");
});
