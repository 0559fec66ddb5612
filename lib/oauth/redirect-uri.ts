const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** The characters of RFC 3986. Browsers repair others, each in its own way. */
const CHARACTERS = /^[\w.~:/?#[\]@!$&'()*+,;=%-]+$/;

/** Parameters of an authorization response (RFC 6749 §4.1.2, RFC 9207 §2), which must not be repeated. */
const ANSWERED = ["code", "state", "iss", "error"];

interface Rule {
  isBroken(url: URL, uri: string): boolean;
  says: string;
}

/** RFC 6749 §3.1.2, RFC 9700 §2.1 and §4.1. */
const RULES: readonly Rule[] = [
  { isBroken: (_, uri) => uri.length > 2000, says: "A redirect URI may have at most 2,000 characters." },
  {
    isBroken: ({ protocol, hostname }) => protocol !== "https:" && !(protocol === "http:" && LOOPBACK.has(hostname)),
    says: "A redirect URI begins with https://, or with http:// when it leads to localhost.",
  },
  { isBroken: (_, uri) => uri.includes("#"), says: "A redirect URI has no fragment (no #)." },
  { isBroken: ({ username, password }) => Boolean(username || password), says: "A redirect URI holds no user name or password." },
  {
    isBroken: ({ hostname }) => !/^(?:[a-z0-9.-]+|\[[0-9a-f:]+\])$/.test(hostname),
    says: "A redirect URI names one host, without wildcards.",
  },
  {
    // `https:host/path` would lead a browser to a path of the page that it is on, and 127.1 is another way to write a host.
    isBroken: ({ protocol, hostname }, uri) => !uri.toLowerCase().startsWith(`${protocol}//${hostname}`),
    says: "A redirect URI names its host right after the two slashes, written out.",
  },
  {
    isBroken: ({ searchParams }) => ANSWERED.some((name) => searchParams.has(name)),
    says: "The query of a redirect URI holds none of code, state, iss and error: they are added with the answer.",
  },
];

/**
 * What is wrong with a redirect URI that somebody wants to register, as a sentence, or null. It is kept and compared byte for byte, so it
 * must be what the client will send.
 */
export function redirectUriFault(uri: string): string | null {
  if (!CHARACTERS.test(uri) || !URL.canParse(uri)) return "This is not a complete URI, like https://example.com/callback.";
  const url = new URL(uri);
  return RULES.find((rule) => rule.isBroken(url, uri))?.says ?? null;
}

/**
 * A redirect URI with parameters added to its query, which is kept as it stands (RFC 6749 §3.1.2). Spaces become %20, which those who
 * expect a form and those who expect a URI component decode alike.
 */
export function withParameters(uri: string, parameters: Record<string, string | undefined>): string {
  const added = Object.entries(parameters).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`]));
  const joint = uri.includes("?") ? (/[?&]$/.test(uri) ? "" : "&") : "?";
  return `${uri}${joint}${added.join("&")}`;
}
