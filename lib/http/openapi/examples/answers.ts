import { CHOICES_ANSWERS } from "@/lib/http/openapi/examples/migration-choices";
import { PIPELINE_EXAMPLE, STAGE_CHANGE_EXAMPLE } from "@/lib/http/openapi/examples/pipeline";
import { PREVIEW_EXAMPLE } from "@/lib/http/openapi/examples/preview";
import { PROVENANCE_EXAMPLE } from "@/lib/http/openapi/examples/provenance";
import { HISTORY_EXAMPLE, KEPT_EXAMPLE, UNDO_IMPACT_EXAMPLE } from "@/lib/http/openapi/examples/history-and-undo";
import { PROOF_EXAMPLE } from "@/lib/http/openapi/examples/proof";
import { BATCH_EXT_ID } from "@/lib/http/openapi/examples/bodies";
import { ANALYSIS_EXAMPLE, CONFIGURATION_EXAMPLE, REPORT_EXAMPLE } from "@/lib/http/openapi/examples/migration-report";
import { FILE_EXAMPLE } from "@/lib/http/openapi/examples/files";
import { DELETED_EXAMPLE, IDS, RECORD_EXAMPLES, FOUND_EXAMPLE } from "@/lib/http/openapi/examples/records";
import { EVENT_EXAMPLE, webhookExamples } from "@/lib/http/openapi/examples/webhooks";
import type { Operation } from "@/lib/operation";
import type { Entity } from "@/lib/records/schema/entity";
import type { Field } from "@/lib/records/schema/field";
import { ENTITIES } from "@/lib/records/schema/registry";
import { RESOURCES } from "@/lib/records/schema/resources";
import { recordOutput } from "@/lib/records/schema/field-schema";

const migration = {
  migration_id: IDS.migration,
  status: "running",
  created_at: "2026-05-06T12:00:00.000Z",
  updated_at: "2026-05-06T12:03:12.006Z",
  started_at: "2026-05-06T12:02:40.120Z",
  finished_at: null,
  run_number: 1,
  run_kind: "full",
  delta_schedule: null,
  ext_instance_url: "https://neckar.my.salesforce.com",
  org_name: "Neckar Pumpen GmbH",
  connected_as: "integration@neckar-pumpen.example",
  connected: true,
  renewable: true,
  objects: [
    {
      object: "Account",
      resource: "accounts",
      status: "done",
      expected: 1204,
      source: 1204,
      created: 1202,
      updated: 0,
      unchanged: 0,
      skipped: 0,
      failed: 2,
      deleted: 0,
      api: "rest",
      api_reason: "1,204 records, fewer than 30,000.",
      read_in_run: null,
      reconciled: true,
      choices_changed: false,
    },
  ],
  files: null,
  phases: [{ phase: 1, status: "done", objects: ["Account"] }],
  reconciled: null,
  outdated_by_undo: false,
  failure: null,
  waiting: null,
  api_requests: 214,
  has_proof: false,
  undo: null,
};

const recordIssue = {
  id: IDS.issue,
  object: "Account",
  ext_id: "0015g00001KdR9zAAF",
  outcome: "failed",
  code: "invalid_created_date",
  field: "CreatedDate",
  value: null,
  reason: "CreatedDate is no time from 1970 on, so the record cannot be sorted by time.",
  remedy: "Correct CreatedDate in Salesforce, and retry what failed.",
  record: null,
};

const USER = { id: IDS.user, name: "Grace Weber", email: "grace.weber@neckar-pumpen.example", role: "admin" };

const SEARCH_EXAMPLE = {
  object: "Contact",
  of: "preview",
  status: "done",
  source_records: 4200,
  records_here: 180,
  clusters: 61,
  duplicates: 64,
  ignored: [{ rule: 1, value: "+4971130880", records: 212 }],
  created_at: "2026-05-06T12:10:00.000Z",
  finished_at: "2026-05-06T12:10:08.000Z",
  failure: null,
};

const CLUSTER_EXAMPLE = {
  id: IDS.cursor,
  object: "Contact",
  action: "update",
  survivor: {
    ext_id: "0035g00000AbCdEAAV",
    record_id: IDS.contact,
    rule: 0,
    values: { first_name: "Ada", last_name: "Okafor", email: "ada.okafor@valencia.example" },
  },
  duplicates: [
    {
      ext_id: "0035g00000XyZaBAAV",
      record_id: null,
      rule: 0,
      values: { first_name: "A.", last_name: "Okafor", email: "Ada.Okafor@Valencia.example" },
    },
  ],
  count: 1,
};

function page(item: unknown) {
  return { data: [item], next_cursor: IDS.cursor, has_more: true };
}

const ANSWERS: Record<string, unknown> = {
  ...webhookExamples(page),
  convert_lead: {
    lead: {
      ...RECORD_EXAMPLES.leads,
      updated_at: "2026-03-04T10:30:00.250Z",
      version: 3,
      status: "converted",
      converted_at: "2026-03-04T10:30:00.250Z",
      converted_account_id: IDS.account,
      converted_contact_id: IDS.contact,
      converted_opportunity_id: IDS.opportunity,
    },
    account: { id: IDS.account, created: true },
    contact: { id: IDS.contact, created: true },
    opportunity: { id: IDS.opportunity, created: true },
  },
  escalate_case: {
    ...RECORD_EXAMPLES.cases,
    updated_at: "2026-04-22T06:10:00.000Z",
    version: 3,
    status: "escalated",
    is_escalated: true,
    escalated_at: "2026-04-22T06:10:00.000Z",
    escalation_reason: "The waterworks stands still.",
  },
  list_comments_of_case: { data: [RECORD_EXAMPLES.case_comments], next_cursor: null, has_more: false },
  get_pipeline: PIPELINE_EXAMPLE,
  get_record_counts: { data: RESOURCES.map((resource) => ({ resource, records: 1204 })) },
  search_records: FOUND_EXAMPLE,
  list_deleted_records: page(DELETED_EXAMPLE),
  list_stage_changes: { data: [STAGE_CHANGE_EXAMPLE], next_cursor: null, has_more: false },
  list_events: page(EVENT_EXAMPLE),
  list_users: page(USER),
  get_user: USER,
  list_connections: page({
    connection_id: IDS.connection,
    created_at: "2026-05-06T12:00:00.000Z",
    created_by_id: IDS.user,
    ext_instance_url: migration.ext_instance_url,
    org_name: migration.org_name,
    username: "integration@neckar-pumpen.example",
    renewable: true,
    migrations_under_way: 1,
  }),
  disconnect_org: {
    connection_id: IDS.connection,
    ext_instance_url: migration.ext_instance_url,
    org_name: migration.org_name,
    migrations_stopped: 1,
    revoked: true,
    not_revoked_because: null,
  },
  list_migrations: page(migration),
  get_migration: migration,
  run_migration: migration,
  pause_migration: { ...migration, status: "paused" },
  resume_migration: migration,
  start_migration_delta: { ...migration, run_kind: "delta", run_number: 2 },
  schedule_migration_deltas: {
    ...migration,
    status: "completed",
    delta_schedule: { every_minutes: 60, next_at: "2026-05-06T13:02:40.120Z" },
  },
  unschedule_migration_deltas: { ...migration, status: "completed" },
  retry_migration: { ...migration, run_kind: "retry", run_number: 2 },
  cancel_migration: { ...migration, status: "cancelled", finished_at: "2026-05-06T12:03:14.902Z", reconciled: false },
  reconnect_migration: migration,
  analyze_migration: {
    ...migration,
    status: "analyzing",
    updated_at: migration.created_at,
    started_at: null,
    run_number: 0,
    run_kind: "full",
    delta_schedule: null,
    objects: [],
  },
  list_files: page(FILE_EXAMPLE),
  get_file: FILE_EXAMPLE,
  get_analysis_progress: ANALYSIS_EXAMPLE,
  get_migration_report: REPORT_EXAMPLE,
  download_migration_report: REPORT_EXAMPLE,
  get_migration_configuration: CONFIGURATION_EXAMPLE,
  put_migration_configuration: CONFIGURATION_EXAMPLE,
  ...CHOICES_ANSWERS,
  list_migration_duplicates: page(CLUSTER_EXAMPLE),
  summarize_migration_duplicates: { data: [SEARCH_EXAMPLE] },
  preview_migration_duplicates: { data: [SEARCH_EXAMPLE] },
  preview_migration: PREVIEW_EXAMPLE,
  get_migration_proof: PROOF_EXAMPLE,
  prove_migration: { ...PROOF_EXAMPLE, status: "pending", finished_at: null, objects: [], proven: null },
  undo_migration: {
    ...migration,
    status: "undoing",
    finished_at: "2026-05-06T12:09:03.000Z",
    reconciled: true,
    undo: {
      started_at: "2026-05-07T08:00:00.000Z",
      finished_at: null,
      failed: false,
      resources: [{ resource: "accounts", expected: 1202, deleted: 900, restored: 0, kept: 1, done: false }],
    },
  },
  list_migration_history: page(HISTORY_EXAMPLE),
  get_migration_undo_impact: UNDO_IMPACT_EXAMPLE,
  list_migration_undo_kept: page(KEPT_EXAMPLE),
  list_migration_conflicts: page({
    id: IDS.issue,
    object: "Account",
    resource: "accounts",
    record_id: IDS.account,
    ext_id: "0015g00000XyZ12AAF",
    name: "Neckar Pumpen GmbH",
    state: "open",
    created_at: "2026-05-06T12:04:10.000Z",
    decided_at: null,
    decided_by_id: null,
    fields: [
      { field: "custom_fields.Region__c", ours: "South-west", source: "South", taken: null },
      { field: "phone", ours: "+49 711 555 0101", source: "+49 711 555 0100", taken: null },
    ],
  }),
  decide_migration_conflicts: {
    decided: 11,
    not_decided: [
      {
        id: IDS.issue,
        code: "conflict",
        detail:
          "Somebody has edited the record once more, so it was not overwritten. The conflict shows its present " +
          "values now; decide again.",
      },
    ],
    has_more: false,
  },
  list_migration_errors: page(recordIssue),
  summarize_migration_errors: {
    data: [
      {
        object: "Account",
        outcome: "failed",
        code: recordIssue.code,
        reason: recordIssue.reason,
        remedy: recordIssue.remedy,
        count: 2,
      },
    ],
  },
  authorize_connection: {
    authorize_url: "https://login.salesforce.com/services/oauth2/authorize?response_type=code&client_id=3MVG9",
  },
};

/** The result of the example batch: two new records that differ in their ids. */
function batchAnswer(entity: Entity): unknown {
  const unique = Object.entries<Field>(entity.fields).flatMap(([name, field]) =>
    field.unique && !field.readOnly ? [[name, null]] : [],
  );
  const created = { ...RECORD_EXAMPLES[entity.resource], ...Object.fromEntries(unique), version: 1 };
  const upserted = { ...created, id: IDS.upserted, ext_id: BATCH_EXT_ID };
  return { results: [created, upserted].map((record) => ({ status: "created", record })) };
}

/** What the operations of an entity return: a record, a page, a deletion, the results of a batch. */
function recordAnswer(operation: Operation, entity: Entity): unknown {
  const record = RECORD_EXAMPLES[entity.resource];
  const gets = [`get_${entity.singular}`, `get_${entity.singular}_by_ext_id`];
  if (operation.output === recordOutput(entity) || gets.includes(operation.name)) return record;
  if (operation.name === `batch_${entity.resource}`) return batchAnswer(entity);
  if (operation.name === `list_${entity.resource}`) return page(record);
  if (operation.name === `delete_${entity.singular}`) {
    return { id: record.id, deleted: true, restorable_until: "2026-06-20T09:00:00.000Z" };
  }
  return operation.name === `get_${entity.singular}_provenance` ? PROVENANCE_EXAMPLE : undefined;
}

/** An example of what an operation returns, or undefined if none is written. */
export function answerExample(operation: Operation): unknown {
  const ofRecords = Object.values<Entity>(ENTITIES).map((entity) => recordAnswer(operation, entity));
  return ANSWERS[operation.name] ?? ofRecords.find((answer) => answer !== undefined);
}
