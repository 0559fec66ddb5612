import { z } from "zod";

import { pool } from "@/lib/database/db";
import { pathId } from "@/lib/input/ids-and-times";
import { defineOperation, type Operation } from "@/lib/operation";
import { assertRecordId, noSuchRecord } from "@/lib/records/get-record";
import type { Entity } from "@/lib/records/schema/entity";
import { perResource } from "@/lib/records/schema/registry";
import type { ResourceName } from "@/lib/records/schema/resources";

const sourceUrl = z.string().nullable().describe("Opens it in the Salesforce org. Null: no migration imported it.");

const provenance = {
  ext_id: z.string().nullable(),
  source_url: sourceUrl,
  migration: z
    .object({
      migration_id: z.uuid(),
      org_name: z.string().nullable(),
      ext_instance_url: z.string(),
    })
    .nullable()
    .describe("The migration that created the record. Null: a person or a client did."),
  is_edited: z
    .boolean()
    .nullable()
    .describe("Whether somebody has changed it here since a migration last wrote it. Null: no migration has."),
  merged: z
    .array(z.object({ ext_id: z.string(), source_url: sourceUrl }))
    .describe("Duplicates in the Salesforce org that became this record too; at most 100."),
};

const MAX_MERGED = 100;

interface OriginRow {
  ext_id: string | null;
  is_edited: boolean | null;
  migration_id: string | null;
  ext_instance_url: string | null;
  org_name: string | null;
}

const originOf = (resource: ResourceName) => `
  SELECT r.ext_id, r.version <> r.imported_version AS is_edited, r.migration_id, c.ext_instance_url,
    c.source_org_name AS org_name
  FROM ${resource} r
  LEFT JOIN migrations m ON m.organization_id = r.organization_id AND m.id = r.migration_id
  LEFT JOIN connections c ON c.organization_id = m.organization_id AND c.id = m.connection_id
  WHERE r.organization_id = $1 AND r.id = $2`;

/** Each alias came with a migration of its own, perhaps from another org. */
const MERGED = `
  SELECT a.ext_id, c.ext_instance_url
  FROM ext_aliases a
  LEFT JOIN migrations m ON m.organization_id = a.organization_id AND m.id = a.migration_id
  LEFT JOIN connections c ON c.organization_id = m.organization_id AND c.id = m.connection_id
  WHERE a.organization_id = $1 AND a.record_id = $2 AND a.entity = $3
  ORDER BY a.ext_id LIMIT ${MAX_MERGED}`;

function declareProvenance(entity: Entity) {
  return defineOperation({
    name: `get_${entity.singular}_provenance`,
    summary: `Get where one ${entity.label} comes from: its record in Salesforce and the migration that imported it.`,
    // A token for products alone learns nothing of migrations.
    scopes: ["crm:read"],
    input: z.strictObject({ id: pathId(entity.label) }),
    output: z.object(provenance),
    async run({ organizationId }, { id }) {
      assertRecordId(entity, id);
      const { rows } = await pool().query<OriginRow>(originOf(entity.resource), [organizationId, id]);
      const [origin] = rows;
      if (!origin) throw noSuchRecord(entity);
      const values = [organizationId, id, entity.resource];
      const merged = await pool().query<Pick<OriginRow, "ext_id" | "ext_instance_url"> & { ext_id: string }>(
        MERGED,
        values,
      );
      return {
        ext_id: origin.ext_id,
        source_url: urlOf(origin),
        migration: migrationOf(origin),
        is_edited: origin.is_edited,
        merged: merged.rows.map((alias) => ({ ext_id: alias.ext_id, source_url: urlOf(alias) })),
      };
    },
  });
}

function migrationOf({ migration_id, ext_instance_url, org_name }: OriginRow) {
  return migration_id !== null && ext_instance_url !== null ? { migration_id, ext_instance_url, org_name } : null;
}

/** Ids of Salesforce have 15 or 18 letters and digits. It leads from the id to the page of its record. */
function urlOf({ ext_id: id, ext_instance_url: org }: Pick<OriginRow, "ext_id" | "ext_instance_url">): string | null {
  return org !== null && id !== null && /^[a-zA-Z0-9]{15,18}$/.test(id) ? new URL(`/${id}`, org).href : null;
}

/** The operation that says where a record of the resource comes from. It throws `not_found`. */
export const provenanceOperation = perResource<Operation>(declareProvenance);
