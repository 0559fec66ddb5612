import type { Resource } from "@/tests/service/support/expected/expectation";
import type { CrmRecord, RestClient } from "@/tests/service/support/rest-client";

export const RESOURCES = [
  "accounts",
  "contacts",
  "cases",
  "case_comments",
  "activities",
] as const satisfies readonly Resource[];

const REFERENCES = [
  "parent_account_id",
  "account_id",
  "contact_id",
  "reports_to_id",
  "parent_case_id",
  "case_id",
  "opportunity_id",
  "lead_id",
] as const;

/** All records of the five resources, read through their lists. */
export interface MigratedRecords {
  /** Resource → the texts of its pages. */
  texts: Record<Resource, string[]>;
  records: Record<Resource, CrmRecord[]>;
  /** Source id → its record, with the source's ids as references. */
  byExtId: Map<string, CrmRecord & { resource: Resource }>;
  /** Records that are listed twice, or have no source id. */
  strays: string[];
}

export async function readMigrated(client: RestClient): Promise<MigratedRecords> {
  const texts: Partial<Record<Resource, string[]>> = {};
  const records: Partial<Record<Resource, CrmRecord[]>> = {};
  for (const resource of RESOURCES) {
    const listing = await client.list<CrmRecord>(`/api/v1/${resource}`);
    texts[resource] = listing.texts;
    records[resource] = listing.records;
  }
  const read = records as Record<Resource, CrmRecord[]>;
  return { texts: texts as Record<Resource, string[]>, records: read, ...keyBySource(read) };
}

function keyBySource(records: Record<Resource, CrmRecord[]>): Pick<MigratedRecords, "byExtId" | "strays"> {
  const extIds = new Map(Object.values(records).flatMap((all) => all.map(({ id, ext_id }) => [id, ext_id] as const)));
  const byExtId: MigratedRecords["byExtId"] = new Map();
  const strays: string[] = [];
  for (const resource of RESOURCES) {
    for (const record of records[resource]) {
      if (record.ext_id === null || byExtId.has(record.ext_id))
        strays.push(`${resource}/${record.id} (ext_id ${record.ext_id})`);
      else byExtId.set(record.ext_id, { ...withSourceIds(record, extIds), resource });
    }
  }
  return { byExtId, strays };
}

/** A reference to a record that no list contains stays unchanged, and so equals no value of the source. */
function withSourceIds(record: CrmRecord, extIds: ReadonlyMap<string, string | null>): CrmRecord {
  const references = REFERENCES.filter((name) => typeof record[name] === "string");
  return {
    ...record,
    ...Object.fromEntries(references.map((name) => [name, extIds.get(String(record[name])) ?? record[name]])),
  };
}
