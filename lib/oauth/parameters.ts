/** Request parameters, form-encoded in a query or a body. */
export interface Parameters {
  /** The value, or undefined when it is absent or empty, which are the same (RFC 6749 §3.1). */
  get(name: string): string | undefined;
  getAll(name: string): string[];
  /** The value in percent-encoding, byte for byte what was sent, even where its bytes are no UTF-8; undefined as for `get`. */
  getEncoded(name: string): string | undefined;
  isRepeated(name: string): boolean;
}

/** Reads `a=1&b=2`, with or without a leading question mark. */
export function readParameters(encoded: string): Parameters {
  const parameters = new URLSearchParams(encoded);
  return {
    get: (name) => parameters.get(name) || undefined,
    getAll: (name) => parameters.getAll(name).filter(Boolean),
    getEncoded: (name) => findEncoded(encoded, name) || undefined,
    isRepeated: (name) => parameters.getAll(name).length > 1,
  };
}

function findEncoded(encoded: string, name: string): string | undefined {
  const pair = encoded
    .replace(/^\?/, "")
    .split("&")
    .find((each) => new URLSearchParams(each).has(name));
  return pair && recode(pair.slice(pair.indexOf("=") + 1 || pair.length));
}

/** From form encoding, where a plus is a space and a lone percent sign stands for itself, to percent-encoding. */
function recode(value: string): string {
  return value
    .replaceAll("+", "%20")
    .replaceAll(/%(?![0-9a-f]{2})/gi, "%25")
    .replaceAll(/[^\w.~!'()*%-]/gu, encodeURIComponent);
}
