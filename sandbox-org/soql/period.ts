const DAY = 86_400_000;

interface Period {
  readonly from: Date;
  /** Exclusive. */
  readonly to: Date;
}

type Unit = "DAY" | "WEEK" | "MONTH" | "QUARTER" | "YEAR";

function startOf(unit: Unit, now: Date): Date {
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  if (unit === "YEAR") return new Date(Date.UTC(year, 0, 1));
  if (unit === "QUARTER") return new Date(Date.UTC(year, month - (month % 3), 1));
  if (unit === "MONTH") return new Date(Date.UTC(year, month, 1));
  return new Date(Date.UTC(year, month, unit === "WEEK" ? day - now.getUTCDay() : day));
}

function shift(unit: Unit, from: Date, count: number): Date {
  if (unit === "DAY" || unit === "WEEK") return new Date(from.getTime() + count * (unit === "WEEK" ? 7 : 1) * DAY);
  const months = { MONTH: 1, QUARTER: 3, YEAR: 12 }[unit] * count;
  return new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + months, from.getUTCDate()));
}

/** The period of a date literal such as `LAST_N_DAYS:30`, in UTC (Salesforce: Date Formats and Date Literals). */
export function periodOf(name: string, count: number, now: Date): Period {
  const days: Record<string, number> = { TODAY: 0, YESTERDAY: -1, TOMORROW: 1, N_DAYS_AGO: -count };
  const today = startOf("DAY", now);
  const day = days[name];
  if (day !== undefined) return { from: shift("DAY", today, day), to: shift("DAY", today, day + 1) };
  const [which = "", ...rest] = name.split("_");
  const unit = (rest.includes("N") ? (rest[1] ?? "DAYS").replace(/S$/, "") : rest.join("_")) as Unit | "90_DAYS";
  const [size, own]: [number, Unit] = unit === "90_DAYS" ? [90, "DAY"] : [rest.includes("N") ? count : 1, unit];
  const start = startOf(own, now);
  // LAST_N_DAYS and LAST_90_DAYS run up to and include today.
  if (which === "LAST") return { from: shift(own, start, -size), to: own === "DAY" ? shift("DAY", today, 1) : start };
  if (which === "NEXT") return { from: shift(own, start, 1), to: shift(own, start, size + 1) };
  return { from: start, to: shift(own, start, 1) };
}
