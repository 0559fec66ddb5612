import { below, chance, roll, salt } from "./hash";
import { isDeleted, type GeneratedObject, type Org } from "./population";
import { NONE, ORPHAN } from "./references";

const CONTACT_ACCOUNT = salt("relation.contact.account");
const CASE_CONTACT = salt("relation.case.contact");
const CASE_ACCOUNT = salt("relation.case.account");
const CASE_PARENT = salt("relation.case.parent");
const ACCOUNT_TREE = salt("relation.account.tree");
const TREE = 16;

/** A random record of another object: NONE for `emptyPerMille` of a thousand, ORPHAN for four of a thousand. */
export function randomRecord(
  org: Org,
  object: GeneratedObject,
  salt: number,
  ordinal: number,
  emptyPerMille: number,
): number {
  const total = org.total[object];
  if (total === 0 || chance(emptyPerMille, org.seed, salt ^ 0x55, ordinal)) return NONE;
  return chance(4, org.seed, salt ^ 0xaa, ordinal) ? ORPHAN : below(total, org.seed, salt, ordinal);
}

/** The contact of a person account, or NONE for a business account. */
export function personContactOf(org: Org, account: number): number {
  if (account % 10 !== 7) return NONE;
  const contact = 20 * Math.floor(account / 10) + 13;
  return contact < org.total.Contact ? contact : NONE;
}

/** The person account of its contact, or NONE for an ordinary contact. */
export function personAccountOf(org: Org, contact: number): number {
  if (contact % 20 !== 13) return NONE;
  const account = 10 * Math.floor(contact / 20) + 7;
  return account < org.total.Account ? account : NONE;
}

/** The account of a contact. Neighbours share one. A tenth of all contacts belong to the first accounts. */
export function contactAccount(org: Org, contact: number): number {
  const person = personAccountOf(org, contact);
  if (person !== NONE) return person;
  const some = randomRecord(org, "Account", CONTACT_ACCOUNT, contact, 60);
  if (some < 0) return some;
  if (chance(100, org.seed, CONTACT_ACCOUNT ^ 1, contact))
    return below(Math.max(1, org.total.Account / 100), org.seed, CONTACT_ACCOUNT, contact);
  return Math.min(org.total.Account - 1, Math.floor((contact * org.total.Account) / org.total.Contact));
}

export function caseContact(org: Org, caseOrdinal: number): number {
  return randomRecord(org, "Contact", CASE_CONTACT, caseOrdinal, 120);
}

/** Usually the account of the case's contact, sometimes another one, or one without any contact. */
export function caseAccount(org: Org, caseOrdinal: number): number {
  const contact = caseContact(org, caseOrdinal);
  if (contact >= 0 && !chance(30, org.seed, CASE_ACCOUNT ^ 1, caseOrdinal)) return contactAccount(org, contact);
  return randomRecord(org, "Account", CASE_ACCOUNT, caseOrdinal, 300);
}

/** The parent of a case: for some, an earlier or later case nearby. */
export function caseParent(org: Org, caseOrdinal: number): number {
  if (!chance(40, org.seed, CASE_PARENT, caseOrdinal)) return NONE;
  const direction = roll(org.seed, CASE_PARENT ^ 1, caseOrdinal);
  if (direction % 40 === 0) return ORPHAN;
  // Only even cases have parents, and only odd ones are parents, so that there is no cycle.
  if (caseOrdinal % 2 !== 0) return NONE;
  const parent = caseOrdinal + (direction % 3 === 0 ? 1 + 2 * (direction % 5) : -1 - 2 * (direction % 9));
  return parent >= 0 && parent < org.total.Case ? parent : NONE;
}

/**
 * The parent of an account. Accounts form trees and chains within blocks of 16, in a shuffled order: a parent's id may
 * be before or after its children's, and there is no cycle.
 */
export function accountParent(org: Org, account: number): number {
  if (!chance(280, org.seed, ACCOUNT_TREE, account)) return NONE;
  if (chance(15, org.seed, ACCOUNT_TREE ^ 1, account)) return ORPHAN;
  const block = Math.floor(account / TREE);
  const key = roll(org.seed, ACCOUNT_TREE ^ 2, block);
  const step = 2 * (key % 8) + 1;
  const shift = (key >>> 8) % TREE;
  const rank = ((account % TREE) * step + shift) % TREE;
  if (rank === 0) return NONE;
  const above = key % 5 === 0 ? rank - 1 : (rank - 1) >> 1;
  for (let place = 0; place < TREE; place++) {
    if ((place * step + shift) % TREE === above)
      return block * TREE + place < org.total.Account ? block * TREE + place : NONE;
  }
  return NONE;
}

/** The nearest case that is not deleted. Comments and e-mails need one: they are deleted with their case. */
export function nearestLiveCase(org: Org, caseOrdinal: number): number {
  let live = Math.min(caseOrdinal, org.total.Case - 1);
  while (live > 0 && isDeleted(org, "Case", live)) live -= 1;
  return live;
}
