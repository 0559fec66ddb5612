import type { PoolClient } from "pg";

import type { ShapePlan } from "@/lib/migration/pipeline/map/plan";
import type { Row } from "@/lib/migration/pipeline/map/transform";

/**
 * Leaves codes to the products that have them: in an organization a code is unique, in Salesforce it is not. A product
 * whose code belongs to another one, or to an earlier one of the same rows, keeps it as a custom field.
 */
export async function keepTakenCodes(
  client: PoolClient,
  { fields }: Pick<ShapePlan, "fields">,
  organizationId: string,
  rows: readonly Row[],
): Promise<Row[]> {
  const codes = rows.flatMap(({ sku }) => (typeof sku === "string" ? [sku] : []));
  if (codes.length === 0) return [...rows];
  const { rows: found } = await client.query<{ sku: string; ext_id: string | null }>(
    "SELECT sku, ext_id FROM products WHERE organization_id = $1 AND sku = ANY ($2::text[])",
    [organizationId, codes],
  );
  const holders = new Map(found.map(({ sku, ext_id }) => [sku, ext_id]));
  const source = fields.find(({ target }) => target === "sku")?.source ?? "sku";
  return rows.map((row) => {
    if (typeof row.sku !== "string") return row;
    if (!holders.has(row.sku)) holders.set(row.sku, row.ext_id);
    if (holders.get(row.sku) === row.ext_id) return row;
    return { ...row, sku: null, source_digest: null, custom_fields: { ...row.custom_fields, [source]: row.sku } };
  });
}
