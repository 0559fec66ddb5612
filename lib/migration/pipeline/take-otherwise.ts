import type { PoolClient } from "pg";

import type { ShapePlan } from "@/lib/migration/pipeline/plan";
import type { Row } from "@/lib/migration/pipeline/transform";
import { fieldOf } from "@/lib/migration/objects/targets";

/**
 * Has rows point at the second record that they name for a reference where the first is not there and the second is: an activity about an account that is gone
 * from the source still belongs to the account of its AccountId. The id that leads nowhere is kept in `custom_fields`. Changes the rows.
 */
export async function takeOtherwise(
  client: PoolClient,
  { shape, references }: ShapePlan,
  organizationId: string,
  rows: readonly Row[],
): Promise<void> {
  for (const column of references) {
    const choosing = rows.filter(({ otherwise }) => otherwise?.[column]);
    if (choosing.length === 0) continue;
    const named = choosing.flatMap((row) => [row[column], row.otherwise?.[column]?.extId]);
    const { rows: found } = await client.query<{ ext_id: string }>(
      `SELECT ext_id FROM ${fieldOf(shape.resource, column).references} WHERE organization_id = $1 AND ext_id = ANY($2::text[])`,
      [organizationId, named],
    );
    const there = new Set(found.map(({ ext_id }) => ext_id));
    for (const row of choosing) choose(row, column, there);
  }
}

function choose(row: Row, column: string, there: ReadonlySet<string>): void {
  const second = row.otherwise?.[column];
  const first = String(row[column]);
  if (!second || there.has(first) || !there.has(second.extId)) return;
  const { [second.from]: _, ...kept } = row.custom_fields;
  row.custom_fields = { ...kept, [String(row[`${column}_from`])]: first };
  row[column] = second.extId;
  row[`${column}_from`] = second.from;
}
