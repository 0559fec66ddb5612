import { z } from "zod";

import { apiLimit } from "@/lib/migration/configuration/api-limit";
import { duplicates } from "@/lib/migration/configuration/duplicate-rules";
import { MAX_PHASE, type SourceObjectName } from "@/lib/migration/objects/source-object-names";
import { owners } from "@/lib/migration/owners/owners-schema";
import { MAX_IMPORT_DELIVERIES_PER_SECOND } from "@/lib/webhooks/deliveries/limits";

/**
 * The target of a source field: a field of the record, `custom_fields` under the source's API name, or null to leave it
 * out.
 */
export const fieldTarget = z.string().min(1).nullable();

/**
 * What becomes of a record whose field names a record that is not here. heal: the link stays empty, the id is kept, and
 * the link is made as soon as that record is imported, in this run or in a later one. keep_id: the link stays empty for
 * good, and the id is kept. leave_out: the record is left out.
 */
export const relationshipChoice = z.enum(["heal", "keep_id", "leave_out"]);

export type RelationshipChoice = z.infer<typeof relationshipChoice>;

/**
 * What becomes of a record that somebody has edited here since its last import, when it differs in the source.
 * source_wins: the source overwrites it. ours_wins: it stays as it is here. decide: it stays for now, and is listed for
 * somebody to decide.
 */
const repeat = z.enum(["source_wins", "ours_wins", "decide"]);

export type Repeat = z.infer<typeof repeat>;

/** The user's choices for one object. Absent fields and values follow the suggestion of the report. */
const objectConfiguration = z.strictObject({
  selected: z.boolean().default(true),
  /** Source field API name → target field, `custom_fields`, or null to leave it out. */
  fields: z.record(z.string(), fieldTarget).default({}),
  /** Source picklist field → source value → target value. */
  values: z.record(z.string(), z.record(z.string(), z.string())).default({}),
  /** What is the same record twice, and what happens then. Absent: nothing is compared. */
  duplicates: duplicates.optional(),
  /** Source field that names another record → what becomes of records whose other record is not here; else `heal`. */
  relationships: z.record(z.string(), relationshipChoice).optional(),
  phase: z
    .int()
    .min(1)
    .max(MAX_PHASE)
    .optional()
    .describe("The phase that the object belongs to; 1 by default. A run can be of one phase only."),
  api: z
    .enum(["auto", "rest", "bulk"])
    .optional()
    .describe(
      "By which API of Salesforce the object is read: pages over REST, or jobs of Bulk API 2.0, which read many " +
        "records with few API requests. auto, the default: by the number of records and the API requests that the " +
        "org has left.",
    ),
});

const choices = objectConfiguration.optional();

/** Why there are no choices for an object that is only planned. */
export function plannedDetail(object: string): string {
  return `${object} is planned: the report counts it, but it cannot be migrated yet. Leave it out.`;
}

/** Planned objects are in the schema, so that the error for one can say why. */
function planned(object: string) {
  return z.never(plannedDetail(object)).optional();
}

/** The choices for each object. `isImported`: whether a planned object is imported as a preview. */
function objectsWith(isImported: (object: SourceObjectName) => boolean) {
  // To the type, a refused choice is one that is absent.
  const preview = (object: SourceObjectName) =>
    isImported(object) ? choices : (planned(object) as unknown as typeof choices);
  return z
    .strictObject({
      Account: choices,
      Contact: choices,
      Case: choices,
      CaseComment: choices,
      EmailMessage: choices,
      FeedItem: choices,
      FeedComment: choices,
      Task: choices,
      Event: choices,
      Lead: preview("Lead"),
      Opportunity: preview("Opportunity"),
      Product2: preview("Product2"),
    } satisfies Record<SourceObjectName, z.ZodType>)
    .default({});
}

/** A stored configuration, or one in an answer. */
export const configurationSchema = z.strictObject({
  objects: objectsWith(() => true),
  threads: z
    .strictObject({
      attachments: z
        .boolean()
        .default(true)
        .describe(
          "Whether entries of threads name their attachments, with size and link, in the custom field `Attachments`.",
        ),
    })
    .prefault({})
    .describe("The threads of cases."),
  repeat: repeat
    .default("source_wins")
    .describe(
      "What becomes of records that were edited here since their last import, when a run finds others in Salesforce. " +
        "source_wins: Salesforce overwrites them. ours_wins: they stay as they are here, and are listed as left out. " +
        "decide: they stay for now, and `GET /migration/{migration_id}/conflicts` lists what differs. One that " +
        "another record replaces, such as an e-mail that moved into a case, is deleted, and restorable for 30 days.",
    ),
  owners: owners.optional(),
  api_limit: apiLimit,
  files: z
    .strictObject({
      copy: z.boolean().default(false).describe("Whether the files of migrated records are copied, after the records."),
      max_mb: z
        .number()
        .int()
        .min(1)
        .max(2000)
        .default(100)
        .describe("Larger files stay in Salesforce, and are listed."),
    })
    .prefault({})
    .describe("Attachments and files of migrated records."),
  send_events: z
    .boolean()
    .default(false)
    .describe(
      "Whether records that the import creates or changes are sent as events. Each webhook gets at most " +
        `${MAX_IMPORT_DELIVERIES_PER_SECOND} of them a second.`,
    ),
});

/** A configuration as requests give it: without the objects that this service does not import. */
export function configurationWith(isImported: (object: SourceObjectName) => boolean): typeof configurationSchema {
  return configurationSchema.extend({ objects: objectsWith(isImported) });
}

export type Configuration = z.infer<typeof configurationSchema>;

export type ObjectConfiguration = z.infer<typeof objectConfiguration>;
