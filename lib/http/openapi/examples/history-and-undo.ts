import { IDS } from "@/lib/http/openapi/examples/records";

export const HISTORY_EXAMPLE = {
  id: IDS.issue,
  created_at: "2026-05-06T12:04:10.000Z",
  event: "object_finished",
  run_number: 1,
  run_kind: "full",
  object: "Account",
  user_id: null,
  user_name: null,
  reason: null,
  remedy: null,
  counts: { created: 1198, updated: 0, unchanged: 0, skipped: 2, failed: 2, deleted: 0 },
  every_minutes: null,
};

export const UNDO_IMPACT_EXAMPLE = {
  resources: [
    {
      resource: "accounts",
      delete: 1196,
      restore: 3,
      keep: [{ code: "attached", reason: "Another record that stays refers to this one.", count: 2 }],
    },
  ],
  files: 12,
  files_kept: 3,
  purged: 2,
  outdates: [
    { migration_id: IDS.issue, created_at: "2026-05-07T09:00:00.000Z", finished_at: "2026-05-07T09:04:31.250Z" },
  ],
};

export const KEPT_EXAMPLE = {
  id: IDS.issue,
  resource: "accounts",
  record_id: IDS.account,
  ext_id: "0015g00000XyZ12AAF",
  name: "Neckar Pumpen GmbH",
  code: "attached",
  reason: "Another record that stays refers to this one.",
  kept_by: { resource: "contacts", id: IDS.contact },
};
