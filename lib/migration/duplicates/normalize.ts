import { domainToASCII } from "node:url";

import type { Form } from "@/lib/migration/configuration/duplicate-rules";

/** Longer values identify nothing, and take time. */
const MAX_LENGTH = 1000;

/** Null: the value says nothing about identity, so it equals no other. */
type Normalize = (value: string, callingCode?: string) => string | null;

const NORMALIZE: Record<Form, Normalize> = {
  email: normalizeEmail,
  phone: normalizePhone,
  domain: normalizeDomain,
  text: normalizeText,
  exact: normalizeExact,
};

/** The form of a value in which equal ones are compared. */
export function normalize(value: unknown, form: Form, callingCode?: string): string | null {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (typeof value !== "string" || value.length > MAX_LENGTH) return null;
  return NORMALIZE[form](value.toWellFormed(), callingCode);
}

/** An address without name and case: `"Ada" <ADA@Example.com>` is `ada@example.com`. */
function normalizeEmail(value: string): string | null {
  const bare = /<([^<>]+)>\s*$/.exec(value)?.[1] ?? value;
  const [, local, host] = /^(?:mailto:)?([^\s@]+)@([^\s@]+?)\.?$/i.exec(bare.normalize("NFKC").trim()) ?? [];
  const domain = host && domainToASCII(host);
  return local && domain ? `${local.toLowerCase()}@${domain}` : null;
}

const MIN_DIGITS = 5;

const MAX_DIGITS = 15;

/** Countries whose national numbers begin with a digit that is not dialled from abroad, other than 0. */
const TRUNK_PREFIXES: Record<string, string> = { "1": "1", "7": "8", "36": "06", "370": "8" };

/** Countries whose national numbers keep a leading 0 when dialled from abroad. */
const KEEPS_ZERO = new Set(["39", "378", "379"]);

/**
 * The digits of a number with its country (ITU-T E.164): `+49 (0)30 / 123-456` and, with the calling code 49,
 * `030 123456` are `+4930123456`. Without a calling code, national numbers equal only national ones. Extensions do not
 * count.
 */
function normalizePhone(value: string, callingCode?: string): string | null {
  const [main = ""] = value.normalize("NFKC").split(/(?:ext|x|#|;|durchwahl)/i);
  const digits = main.replaceAll(/\D/g, "");
  const international = internationalOf(main, digits);
  if (international !== null) return bounded(international, "+");
  if (callingCode === undefined) return bounded(digits.replace(/^0+/, ""), "");
  const trunk = TRUNK_PREFIXES[callingCode] ?? "0";
  // A number of ten digits that begins with 1 does not exist in North America, so the 1 is a prefix.
  const national = KEEPS_ZERO.has(callingCode) || !digits.startsWith(trunk) ? digits : digits.slice(trunk.length);
  return bounded(national, "") && bounded(callingCode + national, "+");
}

/** The digits of a number that begins with its country; null for others. */
function internationalOf(main: string, digits: string): string | null {
  const hasPlus = /^\D*\+/.test(main);
  if (!hasPlus && !/^00[1-9]/.test(digits)) return null;
  const all = hasPlus ? digits : digits.slice(2);
  // A zero in parentheses is dialled only within the country.
  const [country, national] = main.split("(0)");
  if (national === undefined) return all;
  return (country ?? "").replaceAll(/\D/g, "").replace(/^00/, "") + national.replaceAll(/\D/g, "");
}

function bounded(digits: string, prefix: string): string | null {
  const isOneDigit = /^(\d)\1*$/.test(digits);
  return digits.length < MIN_DIGITS || digits.length > MAX_DIGITS || isOneDigit ? null : prefix + digits;
}

/** Hosts on which many companies have a page: the host says nothing about the company. */
const SHARED_HOSTS = new Set([
  "facebook.com",
  "linkedin.com",
  "instagram.com",
  "x.com",
  "twitter.com",
  "xing.com",
  "youtube.com",
  "google.com",
  "sites.google.com",
  "wikipedia.org",
]);

/** The host of a web or e-mail address without `www.`: `https://www.Acme.com/de` is `acme.com`. */
function normalizeDomain(value: string): string | null {
  const text = value.normalize("NFKC").trim();
  const host = text.replace(/^(?:[a-z][a-z\d+.-]*:\/+|mailto:)/i, "").split(/[/?#\s]/, 1)[0] ?? "";
  const name = host.split("@").at(-1)?.replace(/:\d*$/, "").replace(/\.$/, "") ?? "";
  const domain = domainToASCII(name).replace(/^(?:(?:www\d?|m)\.)+(?=[^.]+\.)/, "");
  return /^[^.]+(?:\.[^.]+)*\.[a-z][a-z\d-]*$/.test(domain) && !SHARED_HOSTS.has(domain) ? domain : null;
}

/**
 * Marks that say nothing about identity: accents of Latin and Greek, the signs of Arabic and Hebrew that are usually
 * left out, marks without a letter, and variants of a glyph. In other scripts marks are vowels, or make another letter.
 */
const OPTIONAL_MARKS =
  /(?<=[\p{sc=Latin}\p{sc=Greek}\p{sc=Arabic}\p{sc=Hebrew}]|[^\p{L}\p{M}]|^)\p{M}+|\p{Variation_Selector}/gu;

/** Letters and digits of any script; case, accents, punctuation and spaces do not count. */
function normalizeText(value: string): string | null {
  const plain = value
    .normalize("NFKD")
    .replaceAll(OPTIONAL_MARKS, "")
    // ß has no capital that toLowerCase turns back into it: both spellings become "ss".
    .toUpperCase()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim()
    .normalize("NFC");
  return plain === "" ? null : plain;
}

const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/;

function normalizeExact(value: string): string | null {
  const text = value.trim();
  const moment = MOMENT.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(moment)) return new Date(moment).toISOString();
  return text === "" ? null : text;
}
