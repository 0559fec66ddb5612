import { z } from "zod";

import { relationshipChoice } from "@/lib/migration/configuration/configuration-schema";
import { duplicates } from "@/lib/migration/configuration/duplicate-rules";
import { sourceObjectName } from "@/lib/migration/objects/source-object-name-schema";

const duplicatesOfObject = z.object({
  object: sourceObjectName,
  rules: duplicates.shape.rules
    .unwrap()
    .describe(
      "As `objects.<object>.duplicates.rules` of the configuration takes them. A run with them finds the same.",
    ),
  rules_from: z
    .enum(["configuration", "suggested"])
    .describe("suggested: none are configured. A run merges nothing unless you configure them."),
  measured: z
    .enum(["searched", "sampled"])
    .describe(
      "searched: all records · sampled: the oldest ones. Duplicates of records beyond the sample are not counted, so " +
        "there may be many more; `POST /migration/{migration_id}/duplicates/preview` searches all.",
    ),
  records: z.number().int().describe("Records of Salesforce that were compared."),
  of: z.number().int().nullable().describe("Records that Salesforce has. null: they could not be counted."),
  records_here: z.number().int().describe("Records here that they were compared with."),
  clusters: z.number().int().nullable().describe("Groups of records that are the same. null: not counted."),
  duplicates: z
    .number()
    .int()
    .nullable()
    .describe("Records of Salesforce that would be merged into another one. null: not counted."),
  not_counted_because: z.string().nullable().describe("null: they were counted."),
});

export type DuplicatesOfObject = z.infer<typeof duplicatesOfObject>;

const orphansOfLink = z.object({
  object: sourceObjectName,
  field: z.string(),
  label: z.string(),
  target: z.string().describe("The resource of the other record: `accounts`."),
  choice: relationshipChoice.describe("What the configuration makes of them."),
  records: z.number().int().nullable().describe("Records with such a link. null: not counted."),
  missing: z
    .number()
    .int()
    .nullable()
    .describe("Orphans: those whose other record will not be here after a run. null: not counted."),
});

/** API requests below which the report asks for no more than it must: they are needed for the run. */
const MIN_REQUESTS_LEFT = 500;

/** Why the report does not count; null if it does. `requestsLeft`: null if the org does not say. */
export function tooFewRequests(requestsLeft: number | null): string | null {
  return requestsLeft !== null && requestsLeft < MIN_REQUESTS_LEFT ? "The org has too few API requests left." : null;
}

/** Records that a run treats in a special way, counted by its own rules. */
export const quality = z.object({
  duplicates: z.array(duplicatesOfObject),
  orphans: z.object({
    data: z.array(orphansOfLink),
    not_counted_because: z.string().nullable().describe("Why numbers are missing. null: none is."),
  }),
});

export type Quality = z.infer<typeof quality>;
