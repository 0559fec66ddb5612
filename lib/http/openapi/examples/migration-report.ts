import type { Configuration } from "@/lib/migration/configuration/configuration-schema";
import type { AnalysisProgress } from "@/lib/migration/report/analysis-schema";
import type { Report } from "@/lib/migration/report/report-schema";

/** An example of a configuration: the account's region is kept, and cases that await parts are on hold. */
export const CONFIGURATION_EXAMPLE: Configuration = {
  objects: {
    Account: { selected: true, fields: { Region__c: "custom_fields" }, values: {} },
    Case: { selected: true, fields: {}, values: { Status: { "Awaiting Parts": "on_hold" } } },
    Event: { selected: false, fields: {}, values: {} },
  },
  threads: { attachments: true },
  repeat: "source_wins",
  files: { copy: false, max_mb: 100 },
  send_events: false,
};

/** The same, as a file. */
export const EXPORT_EXAMPLE = {
  format: "crm-migration-configuration" as const,
  version: 1 as const,
  exported_at: "2026-05-06T09:30:00.000Z",
  org: { id: "00D5g000008xYzAEAU", name: "Neckar Pumps", ext_instance_url: "https://neckar.my.salesforce.com" },
  members: {},
  configuration: CONFIGURATION_EXAMPLE,
};

/** An analysis that reads the fields of contacts. */
export const ANALYSIS_EXAMPLE: AnalysisProgress = {
  migration_id: "019704d2-7a36-7f5c-9a4f-6d2f0c1b8e11",
  status: "analyzing",
  step: "fields",
  object: "Contact",
  objects: [
    { object: "Account", label: "Accounts", count: 1204, fields_read: true },
    { object: "Contact", label: "Contacts", count: 3871, fields_read: false },
  ],
  others: { objects: 41, records: 20_118, all_counted: true },
};

const ACCOUNT: Report["inventory"][number] = {
  object: "Account",
  label: "Account",
  custom: false,
  count: 1204,
  status: "automatic",
  compatibility: "auto",
  resource: "accounts",
  reason: "All 2 fields are kept, 1 as a custom field.",
  left_out: [],
  fields: [
    {
      source: "Name",
      label: "Account Name",
      type: "string",
      custom: false,
      target: "name",
      confidence: "exact",
      note: null,
      samples: ["Neckar Pumpen GmbH"],
      fill: { filled: 1204, of: 1204, rate: 1, measured: "counted" },
      fit: {
        verdict: "fits",
        type: "fits",
        length: { source: 255, target: 255, longest: 41, verdict: "fits" },
        sample: { values: 200, unchanged: 200, converted: 0, custom_field: 0 },
        reason: null,
      },
    },
    {
      source: "Region__c",
      label: "Region",
      type: "picklist",
      custom: true,
      target: "custom_fields",
      confidence: "custom",
      note: null,
      samples: ["South"],
      fill: { filled: 903, of: 1204, rate: 0.75, measured: "counted" },
      fit: { verdict: "custom_field", type: null, length: null, sample: null, reason: null },
    },
  ],
};

const CASE: Report["inventory"][number] = {
  object: "Case",
  label: "Case",
  custom: false,
  count: 3180,
  status: "automatic",
  compatibility: "manual_review",
  resource: "cases",
  reason: "Some values of Status have no equivalent here. Choose what they become when you configure.",
  left_out: [],
  fields: [
    {
      source: "Status",
      label: "Status",
      type: "picklist",
      custom: false,
      target: "status",
      confidence: "likely",
      note: null,
      samples: ["New", "Awaiting Parts"],
      values: [
        { source: "New", label: "Received", count: 212, active: true, suggestion: "new" },
        { source: "Awaiting Parts", count: 41, active: true, suggestion: null },
      ],
      fill: { filled: 253, of: 3180, rate: 0.0796, measured: "counted" },
      fit: {
        verdict: "does_not_fit",
        type: "converted",
        length: null,
        picklist: { same: 212, translated: 0, unknown: 41, unknown_values: 1 },
        sample: { values: 200, unchanged: 170, converted: 0, custom_field: 30 },
        reason: "Some values have no equivalent here: such records keep the original as a custom field.",
      },
    },
  ],
};

const LEAD: Report["inventory"][number] = {
  object: "Lead",
  label: "Leads",
  custom: false,
  count: 310,
  status: "planned",
  compatibility: "manual_review",
  resource: "leads",
  reason: "Planned: this version does not migrate it yet, and it cannot be selected.",
  left_out: [],
  fields: [],
};

const PROJECT: Report["inventory"][number] = {
  ...LEAD,
  object: "Project__c",
  label: "Projects",
  custom: true,
  count: 57,
  status: "not_supported",
  resource: null,
  reason: "A custom object: there is nothing here that it could become.",
};

/** An example of a report, with two objects that are migrated. Its sums are right. */
export const REPORT_EXAMPLE: Report = {
  generated_at: "2026-05-06T12:01:02.310Z",
  org: {
    id: "00D5g000008xYzAEAU",
    name: "Neckar Pumpen GmbH",
    ext_instance_url: "https://neckar.my.salesforce.com",
    api_version: "67.0",
    is_sandbox: false,
  },
  analyzed_as: { user_id: "0055g00000AbCdEAAV", username: "ada@neckar-pumpen.example" },
  readiness: {
    score: 94,
    verdict: "ready_with_warnings",
    reasons: ["4,384 records will be imported.", "Cases: 1 picklist value has no equivalent."],
    parts: [
      { code: "start", object: null, title: "Every org starts with", points: 100 },
      {
        code: "picklist_values_unknown",
        object: "Case",
        title: "Cases: 1 picklist value has no equivalent",
        points: -6,
      },
    ],
  },
  inventory: [ACCOUNT, CASE, LEAD, PROJECT],
  automations: {
    complexity: "medium",
    workflows: null,
    process_builder_flows: { active: 2, total: 4, complexity: "low" },
    flows: { active: 3, total: 5, complexity: "low" },
    triggers: { active: 0, total: 0, complexity: "none" },
    validation_rules: { active: 2, total: 2, complexity: "low" },
  },
  quality: {
    duplicates: [
      {
        object: "Contact",
        rules: [{ match: [{ fields: ["email"] }] }],
        rules_from: "suggested",
        measured: "searched",
        records: 3120,
        of: 3120,
        records_here: 0,
        clusters: 38,
        duplicates: 41,
        not_counted_because: null,
      },
    ],
    orphans: {
      data: [
        {
          object: "Case",
          field: "AccountId",
          label: "Account ID",
          target: "accounts",
          choice: "heal",
          records: 5210,
          missing: 12,
        },
      ],
      not_counted_because: null,
    },
  },
  automation_list: {
    data: [
      {
        kind: "flows",
        name: "Case: notify owner",
        object: "Case",
        active: true,
        complexity: "medium",
        rated_by: "kind",
        action:
          "Let a webhook call a program of yours on case.created or case.updated; it does the work, and writes back " +
          "through the API.",
        events: ["case.created", "case.updated"],
      },
    ],
    more: 0,
  },
  risks: [
    {
      severity: "warning",
      code: "picklist_values_unknown",
      object: "Case",
      count: 41,
      title: "Cases: 1 picklist value has no equivalent",
      detail:
        "Status: “Awaiting Parts”. Unless you choose one, such records get the usual value, and keep the original " +
        "as a custom field.",
      recommended_action: "Choose an equivalent for each value in the next step.",
    },
  ],
  estimate: {
    records: 4384,
    imported: 4384,
    skipped: 0,
    failed: 0,
    seconds: 4,
    api_calls: 12,
    api_calls_remaining: 99_412,
    files: { count: 412, bytes: 96_220_114, measured: "counted", seconds: 58, api_calls: 456 },
    timeline: [
      { object: "Account", records: 1204, starts_after_seconds: 0, seconds: 0.9 },
      { object: "Case", records: 3180, starts_after_seconds: 0.9, seconds: 2.6 },
    ],
  },
};
