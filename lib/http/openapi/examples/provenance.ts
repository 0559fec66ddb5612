import { IDS } from "@/lib/http/openapi/examples/records";

/** What the operations return that say where a record comes from. */
export const PROVENANCE_EXAMPLE = {
  ext_id: "0015g00000KdR9zAAF",
  source_url: "https://neckar.my.salesforce.com/0015g00000KdR9zAAF",
  migration: {
    migration_id: IDS.migration,
    org_name: "Neckar Pumpen",
    ext_instance_url: "https://neckar.my.salesforce.com",
  },
  is_edited: false,
  merged: [{ ext_id: "0015g00000XyZ12AAF", source_url: "https://neckar.my.salesforce.com/0015g00000XyZ12AAF" }],
};
