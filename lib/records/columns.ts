import type { Entity } from "@/lib/records/entity";
import type { Field } from "@/lib/records/field";

export interface Column {
  name: string;
  /** As PostgreSQL takes it in a column definition list: `numeric(18,2)`, `case_status`. */
  sqlType: string;
  references?: Field["references"];
}

/** The columns of an entity's table but for `organization_id`: what `json_to_recordset(…) AS x(…)` has to be told. */
export function columnsOf(entity: Entity): Column[] {
  return Object.entries(entity.fields).map(([name, field]) => ({ name, sqlType: field.sqlType, references: field.references }));
}
