import { AppError, type Fault } from "@/lib/errors";
import type { Entity } from "@/lib/records/entity";

const UNIQUE_VIOLATION = "23505";

interface DatabaseError extends Error {
  code: string;
  constraint?: string;
}

function isDatabaseError(error: unknown, code: string): error is DatabaseError {
  return error instanceof Error && "code" in error && error.code === code;
}

/** A value that another record of the organization has: `conflict`, with a pointer. Other errors are given back as they are. */
export function explainConflict(error: unknown, entity: Entity): unknown {
  if (!isDatabaseError(error, UNIQUE_VIOLATION)) return error;
  const field = Object.keys(entity.fields).find((name) => error.constraint === `${entity.resource}_organization_id_${name}_key`);
  if (!field) return error;
  const fault: Fault = { pointer: `/${field}`, code: "taken", detail: `Another ${entity.label} has this \`${field}\`.` };
  return new AppError("conflict", `Another ${entity.label} has this \`${field}\`, which must be unique.`, { errors: [fault], cause: error });
}
