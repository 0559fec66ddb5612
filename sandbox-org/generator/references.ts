import { idAt, missingId } from "./ids";
import type { GeneratedObject, Org } from "./population";

export const KEY_PREFIXES: Readonly<Record<GeneratedObject, string>> = {
  Account: "001",
  Contact: "003",
  Case: "500",
  CaseComment: "00a",
  EmailMessage: "02s",
  FeedItem: "0D5",
  FeedComment: "0D7",
  Task: "00T",
  Event: "00U",
  User: "005",
  Group: "00G",
  Lead: "00Q",
  Opportunity: "006",
  OpportunityLineItem: "00k",
  OpportunityContactRole: "00K",
  EventRelation: "0RE",
  EmailMessageRelation: "0CZ",
  Product2: "01t",
  Pricebook2: "01s",
  PricebookEntry: "01u",
  Project__c: "a00",
  fleet__Vehicle__c: "a01",
};

/** A lookup is a number: an ordinal, NONE, or ORPHAN (an id that belongs to no record). */
export const NONE = -1;
export const ORPHAN = -2;

export function idOf(org: Org, object: GeneratedObject, ordinal: number): string {
  return idAt(org.seed, KEY_PREFIXES[object], ordinal);
}

/** The id in a lookup. `from` is the ordinal of the record with the lookup: each gets another orphan id. */
export function lookupId(org: Org, object: GeneratedObject, target: number, from: number): string | null {
  if (target === ORPHAN) return missingId(KEY_PREFIXES[object], from);
  return target < 0 || target >= org.total[object] ? null : idOf(org, object, target);
}
