const number = new Intl.NumberFormat("en");
const moment = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });
const day = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeZone: "UTC" });

export function formatNumber(value: number): string {
  return number.format(value);
}

/** A count with its noun: "1 record", "12,400 records". */
export function formatCount(value: number, noun: string): string {
  return `${number.format(value)} ${noun}${value === 1 ? "" : "s"}`;
}

/** A moment in the reader's time zone. */
export function formatMoment(iso: string): string {
  return moment.format(new Date(iso));
}

/** A calendar date `YYYY-MM-DD`, which has no time zone. */
export function formatDay(iso: string): string {
  return day.format(new Date(`${iso}T00:00:00Z`));
}

/** A length of time as people say it: "14 seconds", "12 minutes", "1 hour 5 minutes". */
export function formatDuration(seconds: number): string {
  if (seconds < 60) return formatCount(Math.ceil(seconds), "second");
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return formatCount(minutes, "minute");
  const rest = minutes % 60;
  const hours = formatCount(Math.floor(minutes / 60), "hour");
  return rest ? `${hours} ${formatCount(rest, "minute")}` : hours;
}

/** A length of time that is only guessed at: "less than a minute", "about 12 minutes". */
export function formatEstimate(seconds: number): string {
  return seconds < 60 ? "less than a minute" : `about ${formatDuration(seconds)}`;
}

export function formatMoney(value: number, currency: string | null): string {
  if (!currency) return number.format(value);
  try {
    return new Intl.NumberFormat("en", { style: "currency", currency }).format(value);
  } catch {
    return `${number.format(value)} ${currency}`;
  }
}
