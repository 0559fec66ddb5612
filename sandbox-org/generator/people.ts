import { FIRST_NAMES, LAST_NAMES, MAIL_DOMAINS } from "../words/people";
import { below, chance, pick, roll, salt } from "./hash";
import type { Org } from "./population";

const FIRST = salt("person.first");
const LAST = salt("person.last");
const DOMAIN = salt("person.domain");
const SHARED = salt("person.shared");
const WITHOUT = salt("person.without");
const TWIN = salt("person.twin");
const CASING = salt("person.casing");

/** Local parts of e-mail addresses, for names in any script. */
const LOCAL_PARTS = new Map([...FIRST_NAMES, ...LAST_NAMES].map((name) => [name as string, foldName(name)]));

function foldName(name: string): string {
  const plain = name
    .normalize("NFD")
    .replaceAll(/[\u0300-\u036f]/g, "")
    .toLowerCase()
    .replaceAll("ß", "ss")
    .replaceAll("ł", "l")
    .replaceAll("ø", "o");
  return plain.replaceAll(/[^a-z']/g, "").slice(0, 30);
}

/** One contact in 25 duplicates an earlier contact. Its identity is the ordinal of that contact. */
export function identityOf(org: Org, contact: number): number {
  return contact % 25 === 9 && contact >= 25 ? contact - 2 - below(5, org.seed, TWIN, contact) : contact;
}

export function firstNameAt(org: Org, identity: number): string | null {
  return chance(960, org.seed, WITHOUT, identity) ? pick(FIRST_NAMES, org.seed, FIRST, identity) : null;
}

export function lastNameAt(org: Org, identity: number): string {
  return pick(LAST_NAMES, org.seed, LAST, identity);
}

function localPart(org: Org, identity: number): string {
  const first = LOCAL_PARTS.get(firstNameAt(org, identity) ?? "") ?? "";
  const last = LOCAL_PARTS.get(lastNameAt(org, identity)) ?? "";
  const name = [first, last].filter((part) => part !== "").join(".");
  return `${name || "user"}${identity}`;
}

function inOtherCase(address: string, style: number): string {
  if (style === 0) return address.toUpperCase();
  return style === 1
    ? address.replace(/^./, (letter) => letter.toUpperCase())
    : address.replace(/@.*/, (domain) => domain.toUpperCase());
}

/**
 * The e-mail address of a person. A duplicate contact has it in another case. Some contacts have none, and some share a
 * mailbox with other people.
 */
export function emailAt(org: Org, contact: number): string | null {
  const identity = identityOf(org, contact);
  if (!chance(870, org.seed, WITHOUT ^ 1, identity)) return null;
  const domain = pick(MAIL_DOMAINS, org.seed, DOMAIN, identity);
  if (chance(15, org.seed, SHARED, identity)) return `info@${domain}`;
  const address = `${localPart(org, identity)}@${domain}`;
  return identity === contact ? address : inOtherCase(address, roll(org.seed, CASING, contact) % 3);
}

/** Salesforce joins first and last name with a space. The salutation is not part of Name. */
export function fullName(first: string | null, last: string): string {
  return first === null ? last : `${first} ${last}`;
}
