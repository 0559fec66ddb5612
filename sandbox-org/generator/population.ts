import { roll, salt } from "./hash";

/** The nine migrated objects. Their live records, archived ones included, add up to the size of the org. */
export const MIGRATED_SHARES = {
  Account: 75,
  Contact: 150,
  Case: 150,
  CaseComment: 155,
  EmailMessage: 130,
  FeedItem: 70,
  FeedComment: 20,
  Task: 180,
  Event: 70,
} as const;

export type MigratedObject = keyof typeof MIGRATED_SHARES;

/** Objects whose records are not part of the size. */
type OtherObject =
  | "User"
  | "Group"
  | "Lead"
  | "Opportunity"
  | "OpportunityLineItem"
  | "OpportunityContactRole"
  | "EventRelation"
  | "EmailMessageRelation"
  | "Product2"
  | "Pricebook2"
  | "PricebookEntry"
  | "Project__c"
  | "fleet__Vehicle__c";
export type GeneratedObject = MigratedObject | OtherObject;

/** A generated org. Every attribute of every record is a pure function of it. */
export interface Org {
  readonly seed: number;
  readonly size: number;
  /** Records that are not deleted, per object. */
  readonly live: Readonly<Record<GeneratedObject, number>>;
  /** Ordinals per object: live records and deleted ones. */
  readonly total: Readonly<Record<GeneratedObject, number>>;
}

const BLOCK = 64;
const DELETED = new Map<string, number>();

/** Ordinals that are never deleted: person accounts and their contacts, because each needs the other. */
const NEVER_DELETED: Partial<Record<GeneratedObject, (ordinal: number) => boolean>> = {
  Account: (ordinal) => ordinal % 10 === 7,
  Contact: (ordinal) => ordinal % 20 === 13,
  User: () => true,
  Group: () => true,
};

function migratedCounts(size: number): Record<MigratedObject, number> {
  const names = Object.keys(MIGRATED_SHARES) as MigratedObject[];
  const counts = Object.fromEntries(
    names.map((name) => [name, Math.floor((size * MIGRATED_SHARES[name]) / 1000)]),
  ) as Record<MigratedObject, number>;
  const rest = size - names.reduce((sum, name) => sum + counts[name], 0);
  for (let i = 0; i < rest; i++) counts[names[i % names.length] as MigratedObject] += 1;
  return counts;
}

function withDeleted(name: GeneratedObject, live: number): number {
  if (name === "User" || name === "Group") return live;
  return Math.floor(live / (BLOCK - 1)) * BLOCK + (live % (BLOCK - 1));
}

export function openOrg(seed: number, size: number): Org {
  const migrated = migratedCounts(size);
  const live = {
    ...migrated,
    User: Math.min(400, Math.max(16, Math.ceil(size / 1000))),
    Group: 9,
    Lead: Math.ceil(size * 0.05),
    Opportunity: Math.ceil(size * 0.04),
    OpportunityLineItem: Math.floor(size * 0.05),
    OpportunityContactRole: Math.floor(size * 0.06),
    EventRelation: 4 * Math.floor(migrated.Event / 40),
    EmailMessageRelation: 3 * Math.floor(migrated.EmailMessage / 40),
    Product2: Math.min(2000, Math.max(10, Math.ceil(size * 0.002))),
    Pricebook2: 2,
    PricebookEntry: 2 * Math.min(2000, Math.max(10, Math.ceil(size * 0.002))),
    Project__c: Math.ceil(size * 0.02),
    fleet__Vehicle__c: Math.ceil(size * 0.01),
  };
  const total = Object.fromEntries(
    Object.entries(live).map(([name, count]) => [name, withDeleted(name as GeneratedObject, count)]),
  );
  return { seed: seed >>> 0, size, live, total: total as Record<GeneratedObject, number> };
}

function deletedSalt(object: string): number {
  const known = DELETED.get(object);
  if (known !== undefined) return known;
  const made = salt(`${object}.deleted`);
  DELETED.set(object, made);
  return made;
}

/** One ordinal in each full block of 64 is a deleted record. */
export function isDeleted(org: Org, object: GeneratedObject, ordinal: number): boolean {
  const block = Math.floor(ordinal / BLOCK);
  if ((block + 1) * BLOCK > org.total[object]) return false;
  let position = (roll(org.seed, deletedSalt(object), block) >>> 8) % BLOCK;
  const isNeverDeleted = NEVER_DELETED[object];
  if (isNeverDeleted) {
    if (isNeverDeleted(ordinal)) return false;
    while (isNeverDeleted(block * BLOCK + position)) position = (position + 1) % BLOCK;
  }
  return ordinal % BLOCK === position;
}
