import type { Pool, PoolClient } from "pg";
import { z } from "zod";

import { pool } from "@/lib/database/db";
import { defineOperation } from "@/lib/operation";
import { type OrganizationSettings, organizationSettings } from "@/lib/settings/organization/organization-schema";
import { measureIfOld, type StoredData, storedData } from "@/lib/storage-quota";

export const getOrganization = defineOperation({
  name: "get_organization",
  summary: "Get the organization: its name, default currency and time zone, and how much it has stored.",
  scopes: [],
  people: "members",
  volatile: true,
  input: z.strictObject({}),
  output: organizationSettings,
  async run({ organizationId }) {
    measureIfOld(organizationId);
    return organizationView(pool(), organizationId);
  },
});

interface Row extends Pick<OrganizationSettings, "id" | "name" | "currency" | "time_zone" | "version"> {
  created_at: Date;
}

const SELECT = "SELECT id, name, currency, time_zone, version, created_at FROM organizations WHERE id = $1";

/** The organization as the settings show it. */
export async function organizationView(
  database: Pool | PoolClient,
  organizationId: string,
): Promise<OrganizationSettings> {
  const [{ rows }, stored] = [await database.query<Row>(SELECT, [organizationId]), await storedData(organizationId)];
  const [row] = rows;
  if (!row) throw new Error("The organization of a session is missing.");
  return { ...row, created_at: row.created_at.toISOString(), storage: storageView(stored) };
}

/** Which tables hold which kind of data; all others are "other". */
const KINDS: readonly [kind: keyof NonNullable<OrganizationSettings["storage"]["kinds"]>, tables: RegExp][] = [
  [
    "records",
    /^(accounts|contacts|cases|case_comments|activities|leads|opportunities|opportunity_stage_changes|products|deleted_records)$/,
  ],
  ["files", /^files$/],
  ["migrations", /^(migration|connection|duplicate|ext_aliases|waiting_links)/],
  ["events", /^(events|webhook)/],
  ["audit_log", /^audit_events$/],
];

function storageView({ bytes, quota, measuredAt, tables }: StoredData): OrganizationSettings["storage"] {
  const kinds = { records: 0, files: 0, migrations: 0, events: 0, audit_log: 0, other: 0 };
  for (const [table, size] of Object.entries(tables ?? {}))
    kinds[KINDS.find(([, pattern]) => pattern.test(table))?.[0] ?? "other"] += size;
  return {
    used_bytes: bytes,
    quota_bytes: quota,
    measured_at: measuredAt?.toISOString() ?? null,
    kinds: tables && kinds,
  };
}
