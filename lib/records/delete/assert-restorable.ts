import type { PoolClient } from "pg";

import { AppError, type Fault } from "@/lib/errors";
import { truncateName } from "@/lib/input/suggest";
import type { Entity } from "@/lib/records/schema/entity";
import type { Values } from "@/lib/records/schema/write-input";

/**
 * Asserts that the migration that imported a record is not being undone: the undo, which may have passed this kind of
 * records, would leave it. Locks the migration, so that no undo begins meanwhile. Throws `conflict`.
 */
export async function assertNotUndoing(
  client: PoolClient,
  entity: Entity,
  organizationId: string,
  migrationId: string | null,
): Promise<void> {
  if (migrationId === null) return;
  const { rows } = await client.query<{ status: string }>(
    "SELECT status FROM migrations WHERE organization_id = $1 AND id = $2 FOR SHARE",
    [organizationId, migrationId],
  );
  if (rows[0]?.status !== "undoing") return;
  const detail = `The migration that imported this ${entity.label} is being undone. Try again once that has ended.`;
  throw new AppError("conflict", detail);
}

/** Asserts that no migration has imported one of the records anew since: it then has the same id. Throws `conflict`. */
export async function assertNotHere(
  client: PoolClient,
  entity: Entity,
  organizationId: string,
  records: readonly Values[],
): Promise<void> {
  const { rows } = await client.query<{ id: string }>(
    `SELECT id FROM ${entity.resource} WHERE organization_id = $1 AND id = ANY ($2::uuid[]) ORDER BY id LIMIT 1`,
    [organizationId, records.map(({ id }) => id)],
  );
  const [here] = rows;
  if (here)
    throw new AppError("conflict", `The ${entity.label} ${here.id} is here again: a migration has imported it anew.`, {
      records: { [`${entity.singular}_id`]: here.id },
    });
}

/**
 * Asserts that no other record has a unique value of the restored records. Throws `conflict` with a fault per value,
 * which names the record that has it and how to free the value, and in `records` the id of the first.
 */
export async function assertUniqueValuesFree(
  client: PoolClient,
  entity: Entity,
  organizationId: string,
  records: readonly Values[],
): Promise<void> {
  const conflicts: { field: string; id: string; value: string }[] = [];
  for (const field of entity.unique) {
    const { rows } = await client.query<{ id: string; value: string }>(
      `SELECT id, "${field}" AS value FROM ${entity.resource} WHERE organization_id = $1
        AND "${field}" = ANY ($2::text[]) ORDER BY id`,
      [organizationId, records.flatMap((record) => record[field] ?? [])],
    );
    conflicts.push(...rows.map((row) => ({ field, ...row })));
  }
  const [first] = conflicts;
  if (!first) return;
  const errors = conflicts.map(({ field, id, value }): Fault => {
    const conflict = `The ${entity.label} ${id} has the \`${field}\` \`${truncateName(value)}\` now`;
    const remedy = `give it another value, or null, by \`PATCH /api/v1/${entity.resource}/${id}\`, and restore again`;
    return { pointer: `/${field}`, code: "taken", detail: `${conflict}; ${remedy}.` };
  });
  throw new AppError("conflict", errors[0]?.detail ?? "", { errors, records: { [`${entity.singular}_id`]: first.id } });
}
