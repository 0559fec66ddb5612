/** Amounts in words, written the same way on pages, in the texts of reports and in refusals. */

// A format takes milliseconds to make. Made when it is first used, it does not hold up the start of every page.
let number: Intl.NumberFormat | undefined;

/** A number with separators: "12,400". */
export function formatNumber(value: number | bigint): string {
  return (number ??= new Intl.NumberFormat("en")).format(value);
}

/** A count with its noun: "1 record", "12,400 records", "2 deliveries". */
export function formatCount(count: number, noun: string, plural = `${noun}s`): string {
  return `${formatNumber(count)} ${count === 1 ? noun : plural}`;
}

const BYTES = ["bytes", "kB", "MB", "GB", "TB"];

/** An amount of data to three digits: "312 bytes", "4.2 MB". */
export function formatBytes(bytes: number): string {
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), BYTES.length - 1);
  return `${formatNumber(Number((bytes / 1000 ** power).toPrecision(3)))} ${BYTES[power]}`;
}

/** A length of time in words: "14 seconds", "12 minutes", "1 hour 5 minutes". */
export function formatDuration(seconds: number): string {
  if (seconds < 60) return formatCount(Math.ceil(seconds), "second");
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return formatCount(minutes, "minute");
  const rest = minutes % 60;
  const hours = formatCount(Math.floor(minutes / 60), "hour");
  return rest ? `${hours} ${formatCount(rest, "minute")}` : hours;
}

/** An estimated length of time: "less than a minute", "about 12 minutes". */
export function formatEstimate(seconds: number): string {
  return seconds < 60 ? "less than a minute" : `about ${formatDuration(seconds)}`;
}

/** The sum of counts; null if one of them is missing, because a part would look like the whole. */
export function wholeSum(counts: readonly (number | null)[]): number | null {
  return counts.reduce((sum, count) => (sum === null || count === null ? null : sum + count), 0);
}
