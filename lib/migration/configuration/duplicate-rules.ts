import { z } from "zod";

import type { SourceObjectName } from "@/lib/migration/objects/source-object-names";

/** The forms in which values are compared: `lib/migration/duplicates/normalize.ts`. */
const FORMS = ["email", "phone", "domain", "text", "exact"] as const;

export type Form = (typeof FORMS)[number];

export const MAX_RULES = 10;

/** The most fields that agree in a rule. */
export const MAX_CRITERIA = 4;

const criterion = z.strictObject({
  fields: z
    .array(z.string().min(1).max(255))
    .min(1)
    .max(4)
    .describe(
      "Fields of the record that source fields go to, `custom_fields.<name>` included. A value of one may equal that " +
        "of any: a mobile phone another record's phone.",
    ),
  as: z
    .enum(FORMS)
    .optional()
    .describe(
      "How values are compared. email: without case. phone: by its digits. domain: the host of an address. text: " +
        "without case, accents and punctuation. exact: as they are. Absent: what suits the first field.",
    ),
});

const rule = z.strictObject({
  match: z.array(criterion).min(1).max(MAX_CRITERIA).describe("Two records match by the rule if all of these agree."),
});

/** Whose value a field of a merged record gets. An empty value never replaces another. */
const WINNERS = ["source", "ours", "newest", "longest"] as const;

const winner = z.enum(WINNERS);

export type Winner = z.infer<typeof winner>;

/** The choices for the duplicates of one object. */
export const duplicates = z.strictObject({
  rules: z
    .array(rule)
    .max(MAX_RULES)
    .default([])
    .describe("Records are duplicates if they match by any rule. The first that matches is named as the reason."),
  compare_with: z
    .enum(["everything", "source"])
    .default("everything")
    .describe("everything: the records of the source with one another, and with those that are here."),
  action: z
    .enum(["update", "skip", "create"])
    .default("update")
    .describe(
      "update: duplicates are merged into the record that stays. skip: they are not imported; the record that stays " +
        "is left as it is. create: all are imported, and the duplicates are listed.",
    ),
  survivor: z
    .enum(["oldest", "newest", "last_changed"])
    .default("oldest")
    .describe(
      "Which record of the source stays, where none of the cluster is here: by source id, or by its last change.",
    ),
  wins: winner
    .default("source")
    .describe(
      "Whose value a merged record gets: that of the source (of the record that stays first), ours, the newest or " +
        "the longest one. An empty value never replaces another.",
    ),
  fields: z.record(z.string(), winner).default({}).describe("Fields for which another value wins."),
  calling_code: z
    .string()
    .regex(/^[1-9]\d{0,2}$/, "A calling code has one to three digits, such as 49.")
    .optional()
    .describe("The country of phone numbers without one: its calling code, such as 49."),
});

export type DuplicateChoices = z.infer<typeof duplicates>;

export type DuplicateRule = z.infer<typeof rule>;

/** The fields that rules name. */
export function comparedFields(rules: readonly DuplicateRule[]): string[] {
  return [...new Set(rules.flatMap(({ match }) => match.flatMap(({ fields }) => fields)))];
}

/** What most organizations recognize a person or company by. Criteria are the fields that have to agree. */
const SUGGESTED: Partial<Record<SourceObjectName, readonly (readonly string[])[]>> = {
  Account: [["website"], ["name", "phone"]],
  Contact: [["email"], ["first_name", "last_name", "account_id"]],
  Case: [["subject", "contact_id"]],
};

/** Rules to begin with: a report counts by them, and the configuration offers them. */
export function suggestedRules(object: SourceObjectName): DuplicateRule[] {
  return (SUGGESTED[object] ?? []).map((fields) => ({ match: fields.map((field) => ({ fields: [field] })) }));
}
