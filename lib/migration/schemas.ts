import { z } from "zod";

import { idInput } from "@/lib/id-input";
import { IMPORT_DELIVERIES_PER_SECOND } from "@/lib/webhooks/import-rate";

/** Source objects that a migration imports, in the order of import. */
export const MIGRATED_OBJECTS = ["Account", "Contact", "Case", "CaseComment", "EmailMessage", "Task", "Event"] as const;
export const migratedObject = z.enum(MIGRATED_OBJECTS);
export type MigratedObjectName = z.infer<typeof migratedObject>;

/** Reported with the status `planned`; they cannot be selected yet. */
export const PLANNED_OBJECTS = ["Lead", "Opportunity", "Product2"] as const;

/** Where a source field goes: a field of the record, its `custom_fields` under the source's API name, or nowhere (null). */
const fieldTarget = z.string().min(1).nullable();

/** What the user chose for one object. Absent fields and values keep the report's suggestion. */
const objectConfiguration = z.strictObject({
  selected: z.boolean().default(true),
  /** Source field API name → target field, `custom_fields`, or null to leave it out. */
  fields: z.record(z.string(), fieldTarget).default({}),
  /** Source picklist field → source value → target value. */
  values: z.record(z.string(), z.record(z.string(), z.string())).default({}),
});

const choices = objectConfiguration.optional();

/** A name of its own in the schema, so that the refusal can say why. */
function planned(object: (typeof PLANNED_OBJECTS)[number]) {
  return z.never(`${object} is planned: the report counts it, but it cannot be migrated yet. Leave it out.`).optional();
}

export const configuration = z.strictObject({
  objects: z
    .strictObject({
      Account: choices,
      Contact: choices,
      Case: choices,
      CaseComment: choices,
      EmailMessage: choices,
      Task: choices,
      Event: choices,
      Lead: planned("Lead"),
      Opportunity: planned("Opportunity"),
      Product2: planned("Product2"),
    } satisfies Record<MigratedObjectName | (typeof PLANNED_OBJECTS)[number], z.ZodType>)
    .default({}),
  send_events: z
    .boolean()
    .default(false)
    .describe(
      `Whether records that the import creates or changes are told as events. Webhooks are sent at most ${IMPORT_DELIVERIES_PER_SECOND} of them a second each.`,
    ),
});
export type Configuration = z.infer<typeof configuration>;
export type ObjectConfiguration = z.infer<typeof objectConfiguration>;

const compatibility = z.enum(["auto", "partial", "manual_review"]);

const picklistValue = z.object({
  source: z.string(),
  /** Records that hold it; null when it could not be counted. */
  count: z.number().int().nullable(),
  active: z.boolean(),
  suggestion: z.string().nullable(),
});

const fieldReport = z.object({
  source: z.string(),
  label: z.string(),
  type: z.string(),
  custom: z.boolean(),
  target: fieldTarget,
  /** exact: the same meaning and type · likely: converted · custom: kept in custom_fields · unmapped: left out. */
  confidence: z.enum(["exact", "likely", "custom", "unmapped"]),
  note: z.string().nullable(),
  /** Up to three values of real records, shortened. */
  samples: z.array(z.string()),
  /** For picklists whose target is a fixed list: the hundred that most records hold, and how many there are beyond; choices can name those too. */
  values: z.array(picklistValue).optional(),
  more_values: z.number().int().optional(),
});

/** Records that a run with the defaults is expected to leave out, by the code under which it will list them. */
const leftOut = z.object({
  outcome: z.enum(["skipped", "failed"]),
  code: z.enum(["mirrored_by_email", "recurrence_series", "invitee_copy", "missing_parent"]),
  /** null when it could not be counted. */
  count: z.number().int().nullable(),
});

const objectReport = z.object({
  object: z.string(),
  label: z.string(),
  custom: z.boolean(),
  /** Archived rows included where the object can be read; null when counting was refused. */
  count: z.number().int().nullable(),
  /** automatic: a migration takes it · planned: a later version will · not_supported: it stays in Salesforce. */
  status: z.enum(["automatic", "planned", "not_supported"]),
  compatibility,
  /** The records that it becomes: "case_comments". */
  resource: z.string().nullable(),
  reason: z.string(),
  left_out: z.array(leftOut),
  fields: z.array(fieldReport),
});

const risk = z.object({
  severity: z.enum(["blocking", "warning", "info"]),
  code: z.string(),
  object: z.string().nullable(),
  /** How many records it touches; null when not counted. */
  count: z.number().int().nullable(),
  title: z.string(),
  detail: z.string(),
  recommended_action: z.string(),
});

const complexity = z
  .enum(["none", "low", "medium", "high"])
  .describe(
    "How much work the active automations do that nothing here will do: by their number, a flow counting as two rules and a trigger as four.",
  );
export type Complexity = z.infer<typeof complexity>;

const automations = z
  .object({ active: z.number().int(), total: z.number().int(), complexity })
  .nullable()
  .describe("null: the Salesforce user may not see them.");

export const report = z.object({
  generated_at: z.string(),
  org: z.object({
    id: z.string().nullable(),
    name: z.string().nullable(),
    ext_instance_url: z.string(),
    api_version: z.string(),
    is_sandbox: z.boolean().nullable(),
  }),
  /** The Salesforce user whose permissions the report reflects. null: Salesforce does not say. */
  analyzed_as: z.object({ user_id: z.string().nullable(), username: z.string().nullable() }),
  /** 0–100. */
  readiness: z.object({ score: z.number().int(), verdict: z.enum(["ready", "ready_with_warnings", "not_ready"]), reasons: z.array(z.string()) }),
  inventory: z.array(objectReport),
  automations: z.object({
    complexity: complexity.nullable().describe("Of all automations that the Salesforce user may see together. null: it may see none."),
    workflows: automations.describe("Workflow rules. null: the Salesforce user may not see them."),
    process_builder_flows: automations.describe("Processes made in Process Builder. null: the Salesforce user may not see them."),
    flows: automations.describe("All other flows. null: the Salesforce user may not see them."),
    triggers: automations.describe("Apex triggers. null: the Salesforce user may not see them."),
    validation_rules: automations,
  }),
  risks: z.array(risk),
  /** Of a run with the defaults, which takes records = imported + skipped + failed. */
  estimate: z.object({
    records: z.number().int(),
    imported: z.number().int(),
    skipped: z.number().int(),
    failed: z.number().int(),
    seconds: z.number().int(),
    api_calls: z.number().int(),
    api_calls_remaining: z.number().int().nullable(),
    /** One entry per object, in the order of import, to a tenth of a second. Each starts where the one before ends; the last end, rounded up, is `seconds`. */
    timeline: z.array(
      z.object({
        object: migratedObject,
        records: z.number().int(),
        starts_after_seconds: z.number(),
        seconds: z.number(),
      }),
    ),
  }),
});
export type Report = z.infer<typeof report>;
export type ObjectReport = z.infer<typeof objectReport>;
export type FieldReport = z.infer<typeof fieldReport>;
export type Risk = z.infer<typeof risk>;

/** One object's line of the reconciliation: source = created + updated + unchanged + skipped + failed. */
const objectProgress = z.object({
  object: migratedObject,
  resource: z.string(),
  status: z.enum(["pending", "running", "done", "failed"]),
  /** Counted before reading; null until then. */
  expected: z.number().int().nullable(),
  /** Counted in the Salesforce org after reading; null until then. */
  source: z.number().int().nullable(),
  created: z.number().int(),
  updated: z.number().int(),
  unchanged: z.number().int(),
  skipped: z.number().int(),
  failed: z.number().int(),
  reconciled: z.boolean(),
});

const failure = z.object({ code: z.string(), detail: z.string(), remedy: z.string() });

export const MIGRATION_STATUSES = [
  "analyzing",
  "ready",
  "analysis_failed",
  "running",
  "paused",
  "completed",
  "completed_with_errors",
  "failed",
  "cancelled",
  "undoing",
  "undone",
] as const;

/** The migration record as every endpoint returns it. */
export const migration = z.object({
  migration_id: z.uuid(),
  status: z.enum(MIGRATION_STATUSES),
  created_at: z.string(),
  updated_at: z.string(),
  started_at: z.string().nullable(),
  finished_at: z.string().nullable(),
  run_number: z.number().int(),
  ext_instance_url: z.string(),
  org_name: z.string().nullable(),
  /** False once its Salesforce org is disconnected: connect it again as the same Salesforce user to run again. */
  connected: z.boolean(),
  objects: z.array(objectProgress),
  /** True when every sum closes; null before the end. */
  reconciled: z.boolean().nullable(),
  failure: failure.nullable(),
  /** While it runs: since when the Salesforce org does not answer, and why. It is tried again by itself. */
  waiting: z.object({ since: z.string(), reason: z.string() }).nullable(),
});
export type Migration = z.infer<typeof migration>;
export type ObjectProgress = z.infer<typeof objectProgress>;

/** POST /migration/analyze: with the org's address and an access token, or with a connection made by a sign-in at Salesforce. */
export const analyzeInput = z
  .strictObject({
    ext_instance_url: z.string().min(1).max(2000).optional(),
    ext_access_token: z.string().min(1).max(4000).optional(),
    connection_id: idInput("`connection_id` must be the id of a connection: a UUID of version 7.").optional(),
  })
  .refine(({ connection_id: connection, ext_instance_url: url, ext_access_token: token }) => (connection ? !url && !token : url && token), {
    message: "Send ext_instance_url and ext_access_token, or connection_id alone.",
  });

/** POST /migration/run. `configuration` replaces the stored one; without it the stored one or the defaults are used. */
export const runInput = z.strictObject({
  migration_id: idInput("`migration_id` must be the id of a migration: a UUID of version 7."),
  configuration: configuration.optional(),
});
