import { salt } from "./hash";
import type { Org } from "./population";
import { lookupId } from "./references";
import { randomRecord } from "./relations";

const INVITEE = salt("EventRelation.RelationId");
/** One event in forty is a group event, from this one on. */
const PERIOD = 40;
const FIRST = 20;
/** The invitees of a group event. */
const INVITEES = ["User", "Contact", "Lead", "Contact"] as const;

export const isGroupEvent = (event: number): boolean => event % PERIOD === FIRST;
/** The event after a group event is the copy that one of its invitees has. */
export const isInviteeCopy = (event: number): boolean => event % PERIOD === FIRST + 1;

/** The group event that an invitee is invited to. */
export function invitedTo(org: Org, n: number): number {
  const last = Math.floor((org.total.Event - 1 - FIRST) / PERIOD);
  return FIRST + PERIOD * Math.min(Math.floor(n / INVITEES.length), last);
}

/** The user, contact or lead who is invited. */
export function inviteeId(org: Org, n: number): string | null {
  const object = INVITEES[n % INVITEES.length] ?? "User";
  return lookupId(org, object, randomRecord(org, object, INVITEE, n, 0), n);
}
