import { formatMoment } from "@/components/ui/text/format";

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const clock = new Intl.DateTimeFormat("en", { timeStyle: "short" });
const day = new Intl.DateTimeFormat("en", { dateStyle: "full" });
const exact = new Intl.DateTimeFormat("en", { dateStyle: "full", timeStyle: "long" });

const UNITS = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
] as const;
/** Beyond it, a date says more than a number of days. */
const LONGEST_SECONDS = 30 * 86_400;

/** How long ago a moment was: "just now", "3 hours ago", "yesterday"; its date when that is longer than a month. */
export function formatAgo(iso: string, now: number = Date.now()): string {
  const seconds = Math.max(0, (now - Date.parse(iso)) / 1000);
  if (seconds > LONGEST_SECONDS) return formatMoment(iso);
  const [unit, length] = UNITS.find(([, length]) => seconds >= length) ?? [];
  return unit ? relative.format(-Math.floor(seconds / length), unit) : "just now";
}

/** A moment to the second, with the reader's time zone. */
export function formatExact(iso: string): string {
  return exact.format(new Date(iso));
}

/** The time of day, in the reader's time zone. */
export function formatClock(iso: string): string {
  return clock.format(new Date(iso));
}

/** The day in the reader's time zone: "Today", "Yesterday", or its date. */
export function formatDayName(iso: string, now: Date = new Date()): string {
  const days = Math.round((midnightOf(now) - midnightOf(new Date(iso))) / 86_400_000);
  if (days === 0) return "Today";
  return days === 1 ? "Yesterday" : day.format(new Date(iso));
}

function midnightOf(date: Date): number {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}

/** How long ago it was; pointing at it tells the moment to the second. */
export function Ago({ iso }: { iso: string }) {
  return (
    <time dateTime={iso} title={formatExact(iso)}>
      {formatAgo(iso)}
    </time>
  );
}
