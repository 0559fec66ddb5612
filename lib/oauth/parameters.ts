/** Request parameters, form-encoded in a query or a body. */
export interface Parameters {
  /** The value, or undefined when it is absent or empty, which are the same (RFC 6749 §3.1). */
  get(name: string): string | undefined;
  getAll(name: string): string[];
  isRepeated(name: string): boolean;
}

/** Reads `a=1&b=2`, with or without a leading question mark. */
export function readParameters(encoded: string): Parameters {
  const parameters = new URLSearchParams(encoded);
  return {
    get: (name) => parameters.get(name) || undefined,
    getAll: (name) => parameters.getAll(name).filter(Boolean),
    isRepeated: (name) => parameters.getAll(name).length > 1,
  };
}
