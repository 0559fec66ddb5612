import { z } from "zod";

import type { Context } from "@/lib/context";
import { AppError } from "@/lib/errors";
import { isId } from "@/lib/ids";
import { pathId } from "@/lib/input/ids-and-times";
import type { MigrationKey } from "@/lib/migration/migration-schema";

/** The input of an operation that takes nothing but a migration, by the id in its path. */
export const migrationInput = z.strictObject({ migration_id: pathId("migration") });

/** The error for a migration that does not exist in the organization. */
export function migrationNotFound(): AppError {
  return new AppError("not_found", "There is no migration with this id.");
}

/** The key of a migration of the caller's organization. Throws `not_found` for what is no id. */
export function migrationKey({ organizationId }: Pick<Context, "organizationId">, migrationId: string): MigrationKey {
  if (!isId(migrationId)) throw migrationNotFound();
  return { organizationId, migrationId };
}
