import { IDS } from "@/lib/http/openapi/examples/records";

const DIGEST = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

/** The proof of a migration. */
export const PROOF_EXAMPLE = {
  migration_id: IDS.migration,
  run_number: 1,
  status: "done",
  requested_at: "2026-05-06T12:10:00.000Z",
  finished_at: "2026-05-06T12:10:41.300Z",
  ext_instance_url: "https://neckar.my.salesforce.com",
  org_id: "00D5g000004Xf1zEAC",
  org_name: "Neckar Pumpen GmbH",
  username: "integration@neckar-pumpen.example",
  read_until: "2026-05-06T12:02:41.000Z",
  objects: [
    {
      object: "Account",
      soql:
        "SELECT Id FROM Account WHERE CreatedDate < 2026-05-06T12:02:41Z AND (IsDeleted = false OR SystemModstamp >= " +
        "2026-05-06T12:02:41Z) ORDER BY Id",
      source: 1204,
      imported: 1202,
      merged: 0,
      left_out: 2,
      missing: 0,
      missing_ids: [],
      digests: { source: DIGEST, accounted_for: DIGEST },
      changed_since: 0,
      not_compared: null,
      not_in_source: null,
      relationships: [
        {
          field: "ParentId",
          parent: "Account",
          compared: 87,
          different: 0,
          differences: [],
          not_compared_because: null,
        },
      ],
      amounts: [{ field: "AnnualRevenue", compared: 1, different: 0, differences: [], not_compared_because: null }],
      picklists: [{ field: "Industry", compared: 24, different: 0, differences: [], not_compared_because: null }],
      proven: true,
    },
  ],
  not_read: [],
  proven: true,
  outdated_by_undo: false,
  failure: null,
};
