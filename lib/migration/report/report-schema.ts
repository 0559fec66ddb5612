import { z } from "zod";

import { timestampOutput } from "@/lib/input/ids-and-times";
import { fieldTarget } from "@/lib/migration/configuration/configuration-schema";
import { sourceObjectName } from "@/lib/migration/objects/source-object-name-schema";
import { budget, fileEstimate, speed } from "@/lib/migration/report/estimate-schema";
import { quality } from "@/lib/migration/report/quality/quality-schema";

const compatibility = z.enum(["auto", "partial", "manual_review"]);

const picklistValue = z.object({
  source: z.string().describe("The API name of the value, which records have."),
  label: z
    .string()
    .optional()
    .describe("What people see in Salesforce. Missing if it is the same, and in older reports."),
  count: z.number().int().nullable().describe("Records with this value; null if they could not be counted."),
  active: z.boolean(),
  suggestion: z.string().nullable(),
});

const fill = z
  .object({
    filled: z.number().int().describe("Records that have a value."),
    of: z.number().int().describe("Records that were looked at: all of the object, or the sampled ones."),
    rate: z.number().nullable().describe("`filled` of `of`, from 0 to 1. null: no record was looked at."),
    measured: z
      .enum(["counted", "sampled"])
      .describe("counted: by Salesforce, over all records · sampled: in up to 200 of the newest records."),
  })
  .nullable()
  .describe("How many records have a value. null: the field is not read, so it was not measured.");

const fit = z.object({
  verdict: z
    .enum(["fits", "converted", "custom_field", "does_not_fit", "left_out"])
    .describe(
      "fits: the target takes every value as it is · converted: in another form; what that form cannot hold is also " +
        "kept as a custom field · custom_field: kept whole as a custom field · does_not_fit: the target cannot take " +
        "some values; these are kept as a custom field · left_out: stored nowhere, see `reason`.",
    ),
  type: z
    .enum(["fits", "converted", "does_not_fit"])
    .nullable()
    .describe("Whether the target takes values of this type. null: the field has no target, or the import fills it."),
  length: z
    .object({
      source: z.number().int().describe("Characters that the field can have in Salesforce."),
      target: z.number().int().nullable().describe("Characters that clients of the API can write. null: no limit."),
      longest: z.number().int().describe("Characters of the longest sampled value."),
      verdict: z.enum(["fits", "longer"]).describe("longer: the import keeps longer values whole; none is cut."),
    })
    .nullable()
    .describe("null: the target is not a text."),
  picklist: z
    .object({
      same: z.number().int().nullable(),
      translated: z.number().int().nullable(),
      unknown: z.number().int().nullable(),
      unknown_values: z.number().int().describe("Values without an equivalent that records have or may have."),
    })
    .optional()
    .describe(
      "For picklists whose target takes fixed values: the records whose value is the same, is translated, or has no " +
        "equivalent. null: they could not be counted.",
    ),
  sample: z
    .object({
      values: z.number().int(),
      unchanged: z.number().int(),
      converted: z.number().int(),
      custom_field: z.number().int(),
    })
    .nullable()
    .describe("What the import would do with each sampled value. null: the field has no target to choose."),
  reason: z.string().nullable(),
});

const fieldReport = z.object({
  source: z.string(),
  label: z.string(),
  type: z.string(),
  custom: z.boolean(),
  calculated: z.boolean().optional().describe("A formula or a roll-up summary. Missing in older reports."),
  target: fieldTarget,
  confidence: z
    .enum(["exact", "likely", "custom", "unmapped"])
    .describe("exact: the same meaning and type · likely: converted · custom: a custom field · unmapped: left out."),
  note: z.string().nullable(),
  samples: z.array(z.string()).describe("Up to three values from real records, shortened."),
  values: z
    .array(picklistValue)
    .optional()
    .describe("Of picklists whose target takes fixed values: the hundred most used. Choices can name others too."),
  more_values: z.number().int().optional().describe("How many values there are beyond those."),
  fill: fill.optional().describe("How many records have a value. Missing in older reports."),
  fit: fit.optional().describe("Whether the target takes the values. Missing in older reports."),
});

/** Records that a run with the defaults is expected to leave out, by the issue code. */
const leftOut = z.object({
  outcome: z.enum(["skipped", "failed"]),
  code: z.enum([
    "mirrored_by_email",
    "recurrence_series",
    "invitee_copy",
    "mirrored_in_feed",
    "feed_notice",
    "missing_parent",
  ]),
  count: z.number().int().nullable().describe("null if it could not be counted."),
});

const objectReport = z.object({
  object: z.string(),
  label: z.string(),
  custom: z.boolean(),
  count: z.number().int().nullable().describe("With archived records, if it can be read. null: counting was refused."),
  status: z
    .enum(["automatic", "preview", "planned", "not_supported"])
    .describe("automatic: imported · preview: by a setting · planned: by a later version · not_supported: it stays."),
  compatibility,
  resource: z.string().nullable().describe("What its records become: `case_comments`."),
  reason: z.string(),
  left_out: z.array(leftOut),
  created_by_year: z
    .array(z.object({ year: z.number().int(), records: z.number().int() }))
    .nullable()
    .optional()
    .describe(
      "Its records by the year of their creation, the oldest first. null: they could not be counted. Missing for " +
        "objects that are not imported, and in older reports.",
    ),
  fields: z.array(fieldReport),
});

const risk = z.object({
  severity: z.enum(["blocking", "warning", "info"]),
  code: z.string(),
  object: z.string().nullable(),
  count: z
    .number()
    .int()
    .nullable()
    .describe("Affected records, at least. null: they were not counted, or are no records: then the text has it."),
  title: z.string(),
  detail: z.string(),
  recommended_action: z.string(),
  example: z
    .object({
      object: z.string().describe("The API name of its object in Salesforce."),
      ext_id: z.string(),
      name: z.string().nullable(),
    })
    .nullable()
    .optional()
    .describe("One of the records, users or queues, with its Salesforce id. Missing where none can be named."),
});

const complexity = z
  .enum(["none", "low", "medium", "high"])
  .describe(
    "How much work the active automations do, none of which this service takes over. Calculated from their number: " +
      "a flow counts as two rules, a trigger as four.",
  );

export type Complexity = z.infer<typeof complexity>;

const automations = z
  .object({ active: z.number().int(), total: z.number().int(), complexity })
  .nullable()
  .describe("null: the Salesforce user may not see them.");

const automationItem = z.object({
  kind: z.enum(["workflows", "process_builder_flows", "flows", "triggers", "validation_rules"]),
  name: z.string(),
  object: z
    .string()
    .nullable()
    .describe("The object on whose records it works. null: on none, or Salesforce names none."),
  active: z.boolean(),
  complexity: z.enum(["none", "low", "medium", "high"]).describe("none: it is not active."),
  rated_by: z
    .enum(["kind", "length"])
    .describe("length: by the length of its code · kind: by what it is, because its steps were not read."),
  action: z.string().describe("What to do about it."),
  events: z.array(z.string()).describe("The events for which a webhook can call what takes over its work."),
});

const automationList = z.object({
  data: z.array(automationItem).describe("At most 500, the active ones first."),
  more: z.number().int().describe("How many there are beyond those."),
});

const apiVersion = z.string().describe("A version: `67.0`.");

const apiVersions = z.object({
  used: apiVersion,
  ours: z.object({ oldest: apiVersion, newest: apiVersion }).describe("What this service can use."),
  org: z.object({ oldest: apiVersion, newest: apiVersion }).nullable().describe("What the org offers. null: unknown."),
  retired_up_to: apiVersion.describe("Salesforce no longer answers this version and older ones."),
  retiring: z.object({ up_to: apiVersion, unsupported_from: z.string(), retired_from: z.string() }),
  verdict: z.enum(["current", "behind", "retiring", "retired", "unknown"]),
  note: z.string(),
});

export const report = z.object({
  generated_at: timestampOutput,
  org: z.object({
    id: z.string().nullable(),
    name: z.string().nullable(),
    ext_instance_url: z.string(),
    api_version: z.string(),
    is_sandbox: z.boolean().nullable(),
  }),
  analyzed_as: z
    .object({ user_id: z.string().nullable(), username: z.string().nullable() })
    .describe("The Salesforce user whose permissions the report reflects. null: unknown."),
  readiness: z.object({
    score: z.number().int().describe("From 0 to 100."),
    verdict: z.enum(["ready", "ready_with_warnings", "not_ready"]),
    reasons: z.array(z.string()),
    formula: z.string().optional().describe("How the score is calculated. Missing in older reports."),
    parts: z
      .array(z.object({ code: z.string(), object: z.string().nullable(), title: z.string(), points: z.number().int() }))
      .optional()
      .describe("What the score is made of: the points of all parts together are the score. Missing in older reports."),
  }),
  inventory: z.array(objectReport),
  automations: z.object({
    complexity: complexity
      .nullable()
      .describe("Of all automations together that the Salesforce user may see. null: the user may see none."),
    workflows: automations.describe("Workflow rules. null: the Salesforce user may not see them."),
    process_builder_flows: automations.describe(
      "Processes made in Process Builder. null: the Salesforce user may not see them.",
    ),
    flows: automations.describe("All other flows. null: the Salesforce user may not see them."),
    triggers: automations.describe("Apex triggers. null: the Salesforce user may not see them."),
    validation_rules: automations,
  }),
  automation_list: automationList.optional().describe("The automations by name. Missing in older reports."),
  api_versions: apiVersions.optional().describe("Versions of Salesforce's API. Missing in older reports."),
  quality: quality
    .optional()
    .describe("Duplicates and orphans, counted by the rules of a run. Missing in older reports."),
  risks: z.array(risk),
  estimate: z.object({
    records: z.number().int().describe("What a run with the defaults would read: `imported` + `skipped` + `failed`."),
    imported: z.number().int(),
    skipped: z.number().int(),
    failed: z.number().int(),
    seconds: z.number().int(),
    api_calls: z.number().int(),
    api_calls_remaining: z.number().int().nullable(),
    budget: budget.optional().describe("API requests needed and left. Missing in older reports."),
    files: fileEstimate
      .optional()
      .describe(
        "What `files.copy` of the configuration would copy. null: the Salesforce user may see no files. Missing in " +
          "older reports.",
      ),
    timeline: z
      .array(
        z.object({
          object: sourceObjectName,
          records: z.number().int(),
          starts_after_seconds: z.number(),
          seconds: z.number(),
          speed: speed.optional(),
          api_calls: z.object({ rest: z.number().int(), bulk: z.number().int() }).optional(),
          api: z
            .enum(["rest", "bulk"])
            .optional()
            .describe("The one that a run would choose today. The time is over REST."),
          reason: z.string().optional().describe("Why it would choose that."),
        }),
      )
      .describe(
        "One entry per object, in the order of import, to a tenth of a second. Each starts where the previous one " +
          "ends. The last end, rounded up, is `seconds`.",
      ),
  }),
});

export type Report = z.infer<typeof report>;

export type ObjectReport = z.infer<typeof objectReport>;

export type FieldReport = z.infer<typeof fieldReport>;

export type Fill = NonNullable<z.infer<typeof fill>>;

export type Fit = z.infer<typeof fit>;

export type AutomationItem = z.infer<typeof automationItem>;

export type Risk = z.infer<typeof risk>;
