import type { PoolClient } from "pg";

import { AppError, type Fault } from "@/lib/errors";
import type { Entity } from "@/lib/records/entity";
import type { Field } from "@/lib/records/field";
import type { Values } from "@/lib/records/write-input";
import { shortName } from "@/lib/short-name";

const UNIQUE_VIOLATION = "23505";

interface DatabaseError extends Error {
  code: string;
  constraint?: string;
}

function isDatabaseError(error: unknown, code: string): error is DatabaseError {
  return error instanceof Error && "code" in error && error.code === code;
}

/**
 * A value that another record of the organization has: `conflict`, with a pointer. Other errors are given back as they are. PostgreSQL tells no value of a
 * table with row-level security, so it is named only where a single one of `records` sets the field.
 */
export function explainConflict(error: unknown, entity: Entity, records: readonly Values[]): unknown {
  if (!isDatabaseError(error, UNIQUE_VIOLATION)) return error;
  const field = Object.keys(entity.fields).find((name) => error.constraint === `${entity.resource}_organization_id_${name}_key`);
  if (!field) return error;
  const values = records.flatMap((record) => record[field] ?? []);
  const value = values.length === 1 ? String(values[0]) : undefined;
  const taken = `Another ${entity.label} has the \`${field}\`${value === undefined ? "" : ` \`${shortName(value)}\``}`;
  const fault: Fault = { pointer: `/${field}`, code: "taken", detail: `${taken}.` };
  return new AppError("conflict", `${taken}, which must be unique.`, { errors: [fault], cause: error });
}

/**
 * Refuses records that are to be put back while others have their unique values by now: `conflict` with a fault per value, each of which names the
 * record that has it and how it is given up, and in `records` the id of the first.
 */
export async function refuseTaken(client: PoolClient, entity: Entity, organizationId: string, records: readonly Values[]): Promise<void> {
  const unique = Object.entries<Field>(entity.fields).flatMap(([name, field]) => (field.unique ? [name] : []));
  const taken: { field: string; id: string; value: string }[] = [];
  for (const field of unique) {
    const { rows } = await client.query<{ id: string; value: string }>(
      `SELECT id, "${field}" AS value FROM ${entity.resource} WHERE organization_id = $1 AND "${field}" = ANY ($2::text[]) ORDER BY id`,
      [organizationId, records.flatMap((record) => record[field] ?? [])],
    );
    taken.push(...rows.map((row) => ({ field, ...row })));
  }
  const [first] = taken;
  if (!first) return;
  const errors = taken.map(({ field, id, value }): Fault => {
    const holder = `The ${entity.label} ${id} has the \`${field}\` \`${shortName(value)}\` by now`;
    const mending = `give it another one, or null, by \`PATCH /api/v1/${entity.resource}/${id}\`, and restore again`;
    return { pointer: `/${field}`, code: "taken", detail: `${holder}; ${mending}.` };
  });
  throw new AppError("conflict", errors[0]?.detail ?? "", { errors, records: { [`${entity.singular}_id`]: first.id } });
}
