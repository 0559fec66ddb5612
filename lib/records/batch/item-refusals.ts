import { AppError, type ErrorCode, type Fault } from "@/lib/errors";

/** What `work` gives, or the refusal that it throws with its pointers moved below `prefix`. */
export function catchRefusal<Value>(prefix: string, work: () => Value): { value: Value } | { error: AppError } {
  try {
    return { value: work() };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { error: withPointerPrefix(prefix, error) };
  }
}

/** The same refusal with every pointer moved below `prefix`. */
export function withPointerPrefix(prefix: string, error: AppError): AppError {
  return moved(error, (pointer) => `${prefix}${pointer}`);
}

/** The same refusal with pointers that lead from where `prefix` ends; others stay. */
export function withoutPointerPrefix(prefix: string, error: AppError): AppError {
  return moved(error, (pointer) => (pointer.startsWith(`${prefix}/`) ? pointer.slice(prefix.length) : pointer));
}

function moved(error: AppError, move: (pointer: string) => string): AppError {
  const errors = error.errors.map((fault) => ({ ...fault, pointer: move(fault.pointer) }));
  return new AppError(error.code, error.message, { errors, cause: error.cause });
}

/**
 * Codes that a request alone has for the state of its record, and a batch too where all its items agree. What is not
 * found is in the body here.
 */
const STATE_CODES = new Set<ErrorCode>(["conflict", "illegal_state", "precondition_failed"]);

/** One refusal for those of several items, each with its item's index: every fault points into `/items`. */
export function joinRefusals(refusals: readonly { index: number; error: AppError }[]): AppError {
  const [first = "invalid_request", ...others] = new Set(refusals.map(({ error }) => error.code));
  const code = STATE_CODES.has(first) && others.length === 0 ? first : "invalid_request";
  const count = refusals.length === 1 ? "One item" : `${refusals.length} items`;
  return new AppError(code, `${count} cannot be carried out, so none was; see \`errors\`.`, {
    errors: refusals.flatMap(faultsOf),
  });
}

/** The faults of an item, from the batch on; a refusal without faults is one itself. */
export function faultsOf({ index, error }: { index: number; error: AppError }): Fault[] {
  const at = `/items/${index}`;
  if (error.errors.length === 0) return [{ pointer: at, code: error.code, detail: error.message }];
  return withPointerPrefix(at, error).errors;
}
