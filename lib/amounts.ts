/** Amounts in words, written the same way on pages and in the texts of reports. */

const BYTES = ["bytes", "kB", "MB", "GB", "TB"];

/** An amount of data to three digits: "312 bytes", "4.2 MB". */
export function formatBytes(bytes: number): string {
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), BYTES.length - 1);
  return `${Number((bytes / 1000 ** power).toPrecision(3)).toLocaleString("en")} ${BYTES[power]}`;
}

/** A length of time in words: "14 seconds", "12 minutes", "1 hour 5 minutes". */
export function formatDuration(seconds: number): string {
  if (seconds < 60) return counted(Math.ceil(seconds), "second");
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return counted(minutes, "minute");
  const rest = minutes % 60;
  const hours = counted(Math.floor(minutes / 60), "hour");
  return rest ? `${hours} ${counted(rest, "minute")}` : hours;
}

/** An estimated length of time: "less than a minute", "about 12 minutes". */
export function formatEstimate(seconds: number): string {
  return seconds < 60 ? "less than a minute" : `about ${formatDuration(seconds)}`;
}

function counted(count: number, unit: string): string {
  return `${count.toLocaleString("en")} ${unit}${count === 1 ? "" : "s"}`;
}
