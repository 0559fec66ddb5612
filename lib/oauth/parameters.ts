/** Request parameters, form-encoded in a query or a body. */
export interface Parameters {
  /** The value, or undefined when it is absent or empty, which are the same (RFC 6749 §3.1). */
  get(name: string): string | undefined;
  getAll(name: string): string[];
  isRepeated(name: string): boolean;
  /** The value as it was sent, still encoded, for what must be returned byte for byte. */
  getEncoded(name: string): string | undefined;
}

/** Reads `a=1&b=2`, with or without a leading question mark. */
export function readParameters(encoded: string): Parameters {
  const pairs = encoded.replace(/^\?/, "").split("&").map(readPair);
  const named = (name: string) => pairs.filter((pair) => pair.name === name);
  return {
    get: (name) => named(name)[0]?.value || undefined,
    getAll: (name) => named(name).flatMap((pair) => pair.value || []),
    isRepeated: (name) => named(name).length > 1,
    getEncoded: (name) => named(name)[0]?.encodedValue || undefined,
  };
}

interface Pair {
  name: string;
  value: string;
  encodedValue: string;
}

function readPair(encoded: string): Pair {
  const [[name, value] = ["", ""]] = new URLSearchParams(encoded);
  const equals = encoded.indexOf("=");
  return { name, value, encodedValue: equals === -1 ? "" : encoded.slice(equals + 1) };
}
