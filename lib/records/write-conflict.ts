import { AppError, type Fault } from "@/lib/errors";
import type { Entity } from "@/lib/records/entity";
import { shortName } from "@/lib/short-name";

const UNIQUE_VIOLATION = "23505";

/** What the key of a unique index has behind the organization's id. */
const KEY_VALUE = /=\([0-9a-f-]{36}, (.*)\)/s;

interface DatabaseError extends Error {
  code: string;
  constraint?: string;
  /** "Key (organization_id, ext_id)=(…, 500A) already exists." in the server's language. */
  detail?: string;
}

function isDatabaseError(error: unknown, code: string): error is DatabaseError {
  return error instanceof Error && "code" in error && error.code === code;
}

/** A value that another record of the organization has: `conflict`, with a pointer. Other errors are given back as they are. */
export function explainConflict(error: unknown, entity: Entity): unknown {
  if (!isDatabaseError(error, UNIQUE_VIOLATION)) return error;
  const field = Object.keys(entity.fields).find((name) => error.constraint === `${entity.resource}_organization_id_${name}_key`);
  if (!field) return error;
  const [, value] = KEY_VALUE.exec(error.detail ?? "") ?? [];
  const taken = `Another ${entity.label} has the \`${field}\`${value === undefined ? "" : ` \`${shortName(value)}\``}`;
  const fault: Fault = { pointer: `/${field}`, code: "taken", detail: `${taken}.` };
  return new AppError("conflict", `${taken}, which must be unique.`, { errors: [fault], cause: error });
}
