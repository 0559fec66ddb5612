import { below, chance, salt } from "./hash";
import type { Org } from "./population";
import { idOf } from "./references";

/** The user of the org's access tokens. */
export const RUNNING_USER = 0;
/** Salesforce's automated user: flows and e-mail services create records as this user. */
export const AUTOMATED_USER = 1;

/** Groups 0 to 5 are queues. */
export const QUEUES = [
  "Support Tier 1",
  "Support Tier 2",
  "Réclamations",
  "Spam & Junk",
  "Leads DACH",
  "返品",
] as const;

const SKEW = salt("owner.skew");

/** A user, possibly an inactive one. Some users own far more records than others. */
export function userOf(org: Org, salt: number, ordinal: number): number {
  const users = org.total.User;
  return chance(300, org.seed, SKEW ^ salt, ordinal)
    ? 2 + below(3, org.seed, salt, ordinal)
    : below(users, org.seed, salt, ordinal);
}

export function isInactiveUser(user: number): boolean {
  return user > 4 && user % 9 === 5;
}

/** The id of a user or, for `queuePerMille` of a thousand records, of a queue. */
export function ownerId(org: Org, salt: number, ordinal: number, queuePerMille: number): string {
  if (queuePerMille > 0 && chance(queuePerMille, org.seed, salt ^ 1, ordinal)) {
    return idOf(org, "Group", below(QUEUES.length, org.seed, salt ^ 2, ordinal));
  }
  return idOf(org, "User", userOf(org, salt, ordinal));
}
