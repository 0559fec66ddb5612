import { z } from "zod";

import { relationshipChoice } from "@/lib/migration/configuration/configuration-schema";
import { sourceObjectName } from "@/lib/migration/objects/source-object-name-schema";

const relationship = z.object({
  object: sourceObjectName,
  field: z.string(),
  label: z.string(),
  target: z.string().describe("The resource of the other record: `accounts`."),
  choices: z.array(relationshipChoice).describe("What can be chosen for the field."),
  choice: relationshipChoice,
  records: z.int().nullable().describe("Records with such a link; null: not counted."),
  missing: z
    .int()
    .nullable()
    .describe(
      "Those whose other record will not be here after a run with the stored configuration: deleted or hidden in " +
        "Salesforce, deleted here, left out, or of an object that is not selected. null: not counted.",
    ),
});

export type ListedRelationship = z.infer<typeof relationship>;

/** The links of the selected objects, with what can be chosen for each and how many records that touches. */
export const relationships = z.object({
  data: z.array(relationship),
  not_counted_because: z.string().nullable().describe("Why numbers are missing; null if none is."),
});
export type Relationships = z.infer<typeof relationships>;
