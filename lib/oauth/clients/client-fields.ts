import { z } from "zod";

import { SCOPES } from "@/lib/context";
import { hasInvisibleCharacters, INVISIBLE_FAULT } from "@/lib/input/invisible-characters";

const redirectUri = z.string().superRefine((uri, issue) => {
  const fault = redirectUriFault(uri);
  if (fault) issue.addIssue({ code: "custom", message: fault });
});

/** The fields of an API client that an admin sets, at its registration and later. */
export const clientName = z
  .string()
  .trim()
  .min(1, "Enter a name.")
  .max(100, "At most 100 characters.")
  .refine((name) => !hasInvisibleCharacters(name), INVISIBLE_FAULT)
  .describe("Shown to the people who are asked to allow it.");

export const redirectUris = z
  .array(redirectUri)
  .min(1, "Name at least one redirect URI.")
  .max(20, "At most 20 redirect URIs.")
  .transform((uris) => [...new Set(uris)])
  .describe("Where the browser may be sent with a code. Compared character for character.");

export const clientScopes = z
  .array(z.enum(SCOPES))
  .min(1, "Choose at least one scope.")
  .max(SCOPES.length, "Name each scope once.")
  .transform((scopes) => SCOPES.filter((scope) => scopes.includes(scope)))
  .describe("The most that it may ask for.");

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** The characters of RFC 3986. Browsers repair others, each in a different way. */
const CHARACTERS = /^[\w.~:/?#[\]@!$&'()*+,;=%-]+$/;

/** Parameters of an authorization response (RFC 6749 §4.1.2, RFC 9207 §2), which must not be repeated. */
const RESPONSE_PARAMETERS = ["code", "state", "iss", "error", "error_description", "error_uri"];

interface Rule {
  isBroken(url: URL, uri: string): boolean;
  says: string;
}

/** RFC 6749 §3.1.2, RFC 9700 §2.1 and §4.1. */
const REDIRECT_URI_RULES: readonly Rule[] = [
  { isBroken: (_, uri) => uri.length > 2000, says: "A redirect URI may have at most 2,000 characters." },
  {
    isBroken: ({ protocol, hostname }) => protocol !== "https:" && !(protocol === "http:" && LOOPBACK.has(hostname)),
    says: "A redirect URI begins with https://, or with http:// when it leads to localhost.",
  },
  { isBroken: (_, uri) => uri.includes("#"), says: "A redirect URI has no fragment (no #)." },
  {
    isBroken: ({ username, password }) => Boolean(username || password),
    says: "A redirect URI holds no user name or password.",
  },
  {
    isBroken: ({ hostname }) => !/^(?:[a-z0-9.-]+|\[[0-9a-f:]+\])$/.test(hostname),
    says: "A redirect URI names one host, without wildcards.",
  },
  {
    // In `https:host/path` a browser sees a path of its present page, and 127.1 is another spelling of a host.
    isBroken: ({ protocol, hostname }, uri) => !uri.toLowerCase().startsWith(`${protocol}//${hostname}`),
    says: "A redirect URI names its host right after the two slashes, written out.",
  },
  {
    isBroken: ({ searchParams }) => RESPONSE_PARAMETERS.some((name) => searchParams.has(name)),
    says: `The query of a redirect URI holds none of ${RESPONSE_PARAMETERS.join(", ")}: the answer adds them.`,
  },
];

/**
 * What is wrong with a redirect URI that somebody wants to register, as a sentence, or null. It is stored and compared
 * byte for byte, so it must be exactly what the client will send.
 */
export function redirectUriFault(uri: string): string | null {
  if (!CHARACTERS.test(uri) || !URL.canParse(uri))
    return "This is not a complete URI, like https://example.com/callback.";
  const url = new URL(uri);
  return REDIRECT_URI_RULES.find((rule) => rule.isBroken(url, uri))?.says ?? null;
}
