import { AppError, type ErrorCode, type Fault } from "@/lib/errors";

/** The result of `work`, or the refusal that it throws, with its pointers below `prefix`. */
export function catchRefusal<Value>(prefix: string, work: () => Value): { value: Value } | { error: AppError } {
  try {
    return { value: work() };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { error: withPointerPrefix(prefix, error) };
  }
}

/** The same refusal with every pointer below `prefix`. */
export function withPointerPrefix(prefix: string, error: AppError): AppError {
  return moved(error, (pointer) => `${prefix}${pointer}`);
}

/** The same refusal with pointers relative to `prefix`; others are unchanged. */
export function withoutPointerPrefix(prefix: string, error: AppError): AppError {
  return moved(error, (pointer) => (pointer.startsWith(`${prefix}/`) ? pointer.slice(prefix.length) : pointer));
}

function moved(error: AppError, move: (pointer: string) => string): AppError {
  const errors = error.errors.map((fault) => ({ ...fault, pointer: move(fault.pointer) }));
  return new AppError(error.code, error.message, { errors, cause: error.cause });
}

/**
 * Codes for the state of a record. A batch has one where all its failed items agree. `not_found` is not among them,
 * because here the id is in the body.
 */
const STATE_CODES = new Set<ErrorCode>(["conflict", "illegal_state", "precondition_failed"]);

/** One refusal for those of several items, each with its item's index. Every fault points into `/items`. */
export function joinRefusals(refusals: readonly { index: number; error: AppError }[]): AppError {
  const [first = "invalid_request", ...others] = new Set(refusals.map(({ error }) => error.code));
  const code = STATE_CODES.has(first) && others.length === 0 ? first : "invalid_request";
  const count = refusals.length === 1 ? "One item" : `${refusals.length} items`;
  return new AppError(code, `${count} cannot be carried out, so none was; see \`errors\`.`, {
    errors: refusals.flatMap(faultsOf),
  });
}

/** The faults of an item, with pointers from the batch on. A refusal without faults is one fault. */
export function faultsOf({ index, error }: { index: number; error: AppError }): Fault[] {
  const pointer = `/items/${index}`;
  if (error.errors.length === 0) return [{ pointer, code: error.code, detail: error.message }];
  return withPointerPrefix(pointer, error).errors;
}
