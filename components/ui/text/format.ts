import { shownTimeZone, wallClock } from "@/components/ui/text/time-zone";
import { formatBytes, formatCount, formatDuration, formatEstimate, formatNumber } from "@/lib/amounts";

// The service writes these into reports too.
export { formatBytes, formatCount, formatDuration, formatEstimate, formatNumber };

// A format takes milliseconds to make. Made when it is first used, it does not hold up the start of every page.
const money = kept(moneyFormat);
const moment = inTimeZone({ dateStyle: "medium", timeStyle: "short" });
const exact = inTimeZone({ dateStyle: "full", timeStyle: "long" });
const clock = inTimeZone({ timeStyle: "short" });
const relative = kept(() => new Intl.RelativeTimeFormat("en", { numeric: "auto" }));
const calendarDay = kept((timeZone) => new Intl.DateTimeFormat("en", { dateStyle: "medium", timeZone }));
const wholeDay = inTimeZone({ dateStyle: "full" });

const UNITS = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
] as const;
/** From here on, a date says more than a number of days. */
const MAX_AGO_SECONDS = 30 * 86_400;

/** Amounts are stored with two decimals, also those of the few currencies that have three. Some have none. */
function moneyFormat(currency: string | undefined): Intl.NumberFormat {
  const own = new Intl.NumberFormat("en", { style: "currency", currency });
  const decimals = Math.min(2, own.resolvedOptions().maximumFractionDigits ?? 2);
  return new Intl.NumberFormat("en", { style: "currency", currency, maximumFractionDigits: decimals });
}

/** Makes a format per currency or time zone when it is first used, and keeps it. */
function kept<Format>(make: (of: string | undefined) => Format): (of?: string) => Format {
  const made = new Map<string | undefined, Format>();
  return (of) => {
    const format = made.get(of) ?? make(of);
    made.set(of, format);
    return format;
  };
}

/**
 * Writes moments in a time zone: that of the pages, if no other is given. The same text in every engine: some write the
 * space before AM as a narrow one.
 */
function inTimeZone(options: Intl.DateTimeFormatOptions): (iso: string, timeZone?: string) => string {
  const formatIn = kept((timeZone) => new Intl.DateTimeFormat("en", { ...options, timeZone }));
  return (iso, timeZone = shownTimeZone()) => formatIn(timeZone).format(new Date(iso)).replaceAll("\u202f", " ");
}

/** A number that may not be known: "12,400", "not counted". */
export function formatCounted(count: number | null): string {
  return count === null ? "not counted" : formatNumber(count);
}

export function formatMoney(value: number, currency: string | null): string {
  if (!currency) return formatNumber(value);
  try {
    return money(currency).format(value);
  } catch {
    return `${formatNumber(value)} ${currency}`;
  }
}

/** A moment in the time zone of the pages: the organization's, or the reader's. */
export function formatMoment(iso: string, timeZone?: string): string {
  return moment(iso, timeZone);
}

/** A moment to the second, with the time zone of the pages. */
export function formatExact(iso: string, timeZone?: string): string {
  return exact(iso, timeZone);
}

/** The time of day, in the time zone of the pages. */
export function formatClock(iso: string, timeZone?: string): string {
  return clock(iso, timeZone);
}

/** How long ago a moment was: "just now", "3 hours ago", "yesterday". Its date if that is more than 30 days. */
export function formatAgo(iso: string, now: number = Date.now(), timeZone?: string): string {
  const seconds = Math.max(0, (now - Date.parse(iso)) / 1000);
  if (seconds > MAX_AGO_SECONDS) return formatMoment(iso, timeZone);
  const [unit, length] = UNITS.find(([, unitSeconds]) => seconds >= unitSeconds) ?? [];
  // Days are those of the calendar: the evening before last is not yesterday, though it is less than 48 hours ago.
  if (unit === "day") return relative().format(-daysBetween(new Date(iso), new Date(now), timeZone), unit);
  return unit ? relative().format(-Math.floor(seconds / length), unit) : "just now";
}

/** The day of a moment in the time zone of the pages: "Today", "Yesterday", or its date. */
export function formatDayName(iso: string, now: Date = new Date(), timeZone?: string): string {
  const days = daysBetween(new Date(iso), now, timeZone);
  if (days === 0) return "Today";
  return days === 1 ? "Yesterday" : wholeDay(iso, timeZone);
}

/** How many days of the calendar a moment is before another one. */
function daysBetween(before: Date, after: Date, timeZone?: string): number {
  return dayOf(after, timeZone) - dayOf(before, timeZone);
}

/** The number of a day, counted from 1970. */
function dayOf(date: Date, timeZone?: string): number {
  return Math.floor(wallClock(date, timeZone) / 86_400_000);
}

/** A calendar date `YYYY-MM-DD`, which has no time zone. */
export function formatDay(iso: string): string {
  return calendarDay("UTC").format(new Date(`${iso}T00:00:00Z`));
}

/** A length of time to its largest unit: "a moment", "3 hours", "5 days". */
export function formatLargestUnit(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  if (minutes < 1) return "a moment";
  if (minutes < 60) return formatCount(minutes, "minute");
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? formatCount(hours, "hour") : formatCount(Math.floor(hours / 24), "day");
}

/** How often something happens: "every 30 minutes", "every hour", "every day". */
export function formatInterval(minutes: number): string {
  if (minutes === 1440) return "every day";
  return minutes === 60 ? "every hour" : `every ${formatDuration(minutes * 60)}`;
}

const FIELD_LABELS: Record<string, string> = {
  id: "Id",
  ext_id: "External id",
  sku: "SKU",
  created_at: "Created",
  updated_at: "Updated",
  owner_id: "Owner",
  is_active: "Active",
  is_public: "Public",
  is_escalated: "Escalated",
  escalated_at: "Escalated on",
  is_closed: "Closed",
  closed_at: "Closed on",
  is_won: "Won",
  email_opt_out: "E-mail opt-out",
  supplied_email: "Supplied e-mail",
};

const VALUE_LABELS: Record<string, string> = {
  email: "E-mail",
  email_inbound: "E-mail received",
  email_outbound: "E-mail sent",
};

/** A field's name in words: `billing_postal_code` is "Billing postal code", `account_id` is "Account". */
export function fieldLabel(name: string): string {
  return (Object.hasOwn(FIELD_LABELS, name) && FIELD_LABELS[name]) || inWords(name.replace(/_(id|at)$/, ""));
}

/** A fixed value in words: `waiting_on_customer` is "Waiting on customer". */
export function inWords(value: string): string {
  if (Object.hasOwn(VALUE_LABELS, value)) return VALUE_LABELS[value] ?? value;
  const text = value.replaceAll("_", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}
