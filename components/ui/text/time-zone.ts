/**
 * The time zone in which pages show times: the organization's, or undefined for the reader's own. Only browsers set it:
 * a server makes pages of many organizations, whose times it writes by `useTimeZone`.
 */
let shown: string | undefined;

export function showTimesIn(timeZone: string | null): void {
  shown = timeZone ?? undefined;
}

export function shownTimeZone(): string | undefined {
  return shown;
}

/** Whether the clocks of a time zone show another time than those of `own`, the reader's, at any of the moments. */
export function isOtherTimeZone(timeZone: string, moments: readonly string[], own?: string): boolean {
  return moments.some((moment) => clockIn(timeZone, new Date(moment)) !== clockIn(own, new Date(moment)));
}

/** A moment as a clock on the wall of the time zone shows it, as if that clock were in UTC; in milliseconds. */
export function wallClock(moment: Date, timeZone = shown): number {
  return clockIn(timeZone, moment);
}

/** The formats are kept: a page has many moments, and a format takes long to make. */
const formats = new Map<string | undefined, Intl.DateTimeFormat>();

function clockIn(timeZone: string | undefined, moment: Date): number {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat("en", {
      timeZone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
  formats.set(timeZone, format);
  const parts = format.formatToParts(moment);
  const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((each) => each.type === type)?.value);
  return Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"), part("second"));
}

/** A moment as inputs of the type "datetime-local" hold it: in the time zone, without naming it. */
export function toLocalTime(iso: string): string {
  return new Date(wallClock(new Date(iso))).toISOString().slice(0, 16);
}

/** How far the time zone is ahead of UTC at a moment; both in milliseconds. */
function offsetAt(moment: number, timeZone = shown): number {
  return wallClock(new Date(moment), timeZone) - moment;
}

/** The moment that such an input names. What is no time is returned as it is. */
export function fromLocalTime(local: string): string {
  const wall = Date.parse(`${local}Z`);
  return Number.isNaN(wall) ? local : momentAt(wall);
}

const DAY_MS = 86_400_000;

/**
 * The moment at which the clocks of a time zone show a time; `wall`: as {@link wallClock}. Where they change, it is the
 * first of two moments, or of a time that they skip the moment by the clock of before.
 */
function momentAt(wall: number, timeZone?: string): string {
  const before = wall - offsetAt(wall - DAY_MS, timeZone);
  const after = wall - offsetAt(wall + DAY_MS, timeZone);
  const moments = [before, after].filter((moment) => wallClock(new Date(moment), timeZone) === wall);
  return new Date(moments.length > 0 ? Math.min(...moments) : before).toISOString();
}

/** The day (`YYYY-MM-DD`) of a moment, in the time zone of the pages; so many days later, if that is asked for. */
export function dayOf(moment: Date, daysLater = 0): string {
  return new Date(wallClock(moment) + daysLater * DAY_MS).toISOString().slice(0, 10);
}

/**
 * The moment at which a day (`YYYY-MM-DD`) begins in a time zone; undefined is the reader's own. Where the clocks
 * change at midnight, it is the first of two midnights, or the moment of the change if there is none. So many days
 * later, if that is asked for.
 */
export function startOfDay(day: string, timeZone: string | undefined, daysLater = 0): string {
  return momentAt(Date.parse(`${day}T00:00:00Z`) + daysLater * DAY_MS, timeZone);
}
