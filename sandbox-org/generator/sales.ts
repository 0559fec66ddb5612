import { chance, salt } from "./hash";
import { isDeleted, type Org } from "./population";
import { lookupId, NONE } from "./references";
import { randomRecord } from "./relations";

const ROLE_CONTACT = salt("OpportunityContactRole.ContactId");
const PRIMARY = salt("OpportunityContactRole.IsPrimary");
/** Every second opportunity has so many lines. */
const LINES = 3;

/** The opportunity of a line. */
export function lineOpportunity(org: Org, line: number): number {
  return Math.min(2 * Math.floor(line / LINES), org.total.Opportunity - 1);
}

/** Whether an opportunity has a line that is not deleted. */
export function hasLines(org: Org, opportunity: number): boolean {
  if (opportunity % 2 !== 0) return false;
  const first = (opportunity / 2) * LINES;
  return Array.from({ length: LINES }, (_, i) => first + i).some(
    (line) => line < org.total.OpportunityLineItem && !isDeleted(org, "OpportunityLineItem", line),
  );
}

/** Two contacts in a row have roles in the same opportunity; the first one is often its primary contact. */
export function roleOpportunity(role: number): number {
  return Math.floor(role / 2);
}

export function isPrimaryRole(org: Org, role: number): boolean {
  return role % 2 === 0 && chance(800, org.seed, PRIMARY, role);
}

export function roleContact(org: Org, role: number): string | null {
  const contact = randomRecord(org, "Contact", ROLE_CONTACT, role, 0);
  return lookupId(org, "Contact", contact === NONE ? 0 : contact, role);
}

/** The contact of the primary role, as the opportunity itself names it. */
export function primaryContact(org: Org, opportunity: number): string | null {
  const role = 2 * opportunity;
  const isThere = role < org.total.OpportunityContactRole && !isDeleted(org, "OpportunityContactRole", role);
  return isThere && isPrimaryRole(org, role) ? roleContact(org, role) : null;
}

/** The product of an entry of a price book: a product has an entry in the standard price book and one in another. */
export function entryProduct(org: Org, entry: number): number {
  return Math.floor(entry / 2) % org.total.Product2;
}

/** Pricebook 0 is the standard one. */
export function entryBook(org: Org, entry: number): number {
  return entry % 2 === 0 && Math.floor(entry / 2) < org.total.Product2 ? 0 : 1;
}
