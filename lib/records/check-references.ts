import type { PoolClient } from "pg";

import { AppError, type Fault } from "@/lib/errors";
import type { Entity } from "@/lib/records/entity";
import type { Field } from "@/lib/records/field";
import { eachOf, inLockOrder } from "@/lib/records/look-up";
import type { Values } from "@/lib/records/write-input";

interface Reference {
  /** Position of the record among those that are written. */
  index: number;
  field: string;
  table: string;
  id: string;
}

/**
 * Every reference that is given leads to a record of the organization, or to one of its members. Throws `invalid_request` with a fault
 * `not_found` per reference that leads nowhere; another organization's record is nowhere. `prefixOf` gives the pointer of a record.
 */
export async function checkReferences(
  client: PoolClient,
  entity: Entity,
  organizationId: string,
  records: readonly Values[],
  prefixOf: (index: number) => string = () => "",
): Promise<void> {
  const references = records.flatMap((record, index) => referencesOf(entity, record, index));
  const present = new Set<string>();
  for (const [table, group] of Map.groupBy(references, (reference) => reference.table)) {
    const ids = inLockOrder(group.map(({ id }) => id));
    const { rows } = await client.query<{ id: string }>(referenceText(table), [organizationId, ids]);
    for (const { id } of rows) present.add(`${table} ${id}`);
  }
  const errors = references.filter(({ table, id }) => !present.has(`${table} ${id}`)).map((missing) => faultOf(missing, prefixOf));
  if (errors.length > 0) throw new AppError("invalid_request", "Some ids lead to nothing; see `errors`.", { errors });
}

function referencesOf(entity: Entity, record: Values, index: number): Reference[] {
  return Object.entries<Field>(entity.fields).flatMap(([field, { references }]) => {
    const id = record[field];
    return references && typeof id === "string" ? [{ index, field, table: references, id }] : [];
  });
}

/** Held until the transaction ends, so that what was found is still there when the record that points at it is written. */
export function referenceText(table: string): string {
  return table === "users"
    ? "SELECT user_id AS id FROM memberships WHERE organization_id = $1 AND user_id = ANY ($2::uuid[])"
    : `SELECT record.id FROM ${eachOf(table, "id", "t.id", "KEY SHARE")}`;
}

function faultOf({ index, field, table }: Reference, prefixOf: (index: number) => string): Fault {
  const detail = table === "users" ? "No user of the organization has this id; `GET /api/v1/users` lists them." : "No record has this id.";
  return { pointer: `${prefixOf(index)}/${field}`, code: "not_found", detail };
}
