import { below, chance, salt } from "./hash";
import type { Org } from "./population";

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** The current time of the generated org. It is fixed, so that a seed always gives the same records. */
export const ORG_NOW = Date.UTC(2026, 5, 30, 18, 0, 0);
const ORG_START = Date.UTC(2017, 0, 9, 8, 0, 0);
const LEGACY_START = Date.UTC(1970, 0, 1, 0, 0, 0);
const LEGACY_END = Date.UTC(1999, 11, 31, 23, 59, 59);
/** Activities that ended before this are archived (Salesforce: 365 days). */
export const ARCHIVE_BEFORE = ORG_NOW - 365 * DAY;

const JITTER = salt("created.jitter");
const LEGACY = salt("created.legacy");
const LEGACY_AT = salt("created.legacy.at");
const BULK = salt("created.bulk");

/** Salesforce stores whole seconds in its audit fields. */
export function wholeSecond(milliseconds: number): number {
  return Math.floor(milliseconds / SECOND) * SECOND;
}

/**
 * The creation time: it grows with the ordinal, with some days of jitter. One block of 50 in forty was loaded within a
 * single second. One record in 400 was loaded with a creation date of the last century.
 */
export function createdTime(org: Org, salt: number, ordinal: number, total: number): number {
  if (chance(2.5, org.seed, LEGACY ^ salt, ordinal)) {
    const within = below(LEGACY_END - LEGACY_START, org.seed, LEGACY_AT ^ salt, ordinal);
    return ordinal % 3 === 0 ? LEGACY_START : wholeSecond(LEGACY_START + within);
  }
  const block = Math.floor(ordinal / 50);
  const place = chance(25, org.seed, BULK ^ salt, block) ? block * 50 : ordinal;
  const share = total > 1 ? place / total : 0.5;
  const jitter = below(21 * DAY, org.seed, JITTER ^ salt, place);
  return wholeSecond(Math.min(ORG_START + share * (ORG_NOW - ORG_START - 22 * DAY) + jitter, ORG_NOW));
}

const TWO_DIGITS = Array.from({ length: 60 }, (_, i) => String(i).padStart(2, "0"));
/** Formatted days. An org has a few thousand, so formatting each only once is much faster. */
const DAYS = new Map<number, string>();

function dayText(day: number): string {
  const known = DAYS.get(day);
  if (known !== undefined) return known;
  const made = new Date(day * DAY).toISOString().slice(0, 10);
  DAYS.set(day, made);
  return made;
}

/** `2024-07-24T14:05:58.000+0000`: a datetime of the REST API, in whole seconds. */
export function datetime(milliseconds: number): string {
  const day = Math.floor(milliseconds / DAY);
  const seconds = Math.floor((milliseconds - day * DAY) / SECOND);
  const minutes = Math.floor(seconds / 60);
  const clock = [Math.floor(minutes / 60), minutes % 60, seconds % 60].map((part) => TWO_DIGITS[part]).join(":");
  return `${dayText(day)}T${clock}.000+0000`;
}

/** `2024-07-24`. */
export function date(milliseconds: number): string {
  return dayText(Math.floor(milliseconds / DAY));
}
