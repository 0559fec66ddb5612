import { cleanText, type Scalar } from "@/lib/migration/objects/declaration";
import type { FieldKind } from "@/lib/records/schema/field";

/** A value in the form of its target. `exact` false: it loses information, so the original is kept beside it. */
interface Conversion {
  value: Scalar;
  exact: boolean;
}

/** Null: the target cannot take this value. */
export type Convert = (value: unknown) => Conversion | null;

const same = (value: Scalar): Conversion => ({ value, exact: true });

/** Whether a field without a value has this one. */
export function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === "";
}

const NUMBER = /^[+-]?\d+(?:\.\d+)?$/;

const INT32 = 2 ** 31;

const MAX_AMOUNT = 1e16;

function toText(value: unknown): Conversion | null {
  if (typeof value === "string") return same(cleanText(value));
  return typeof value === "number" || typeof value === "boolean" ? same(String(value)) : null;
}

function numberOf(value: unknown): number {
  if (typeof value === "number") return value;
  return typeof value === "string" && NUMBER.test(value) ? Number(value) : Number.NaN;
}

/** An amount of at most 16 digits and 2 decimals. More decimals are rounded. */
function toMoney(value: unknown): Conversion | null {
  const amount = numberOf(value);
  if (!(Math.abs(amount) < MAX_AMOUNT)) return null;
  const rounded = Number(amount.toFixed(2));
  return { value: rounded, exact: rounded === amount };
}

function toInteger(value: unknown): Conversion | null {
  const number = Math.round(numberOf(value));
  return number >= -INT32 && number < INT32 ? { value: number, exact: number === Number(value) } : null;
}

function toBoolean(value: unknown): Conversion | null {
  if (typeof value === "boolean") return same(value);
  if (value === "true") return same(true);
  return value === "false" ? same(false) : null;
}

const DAY = /^(?!0000)\d{4}-\d{2}-\d{2}/;

/** A day that exists in the calendar, unlike `2023-02-29`. For a moment, its day in UTC. */
function toDate(value: unknown): Conversion | null {
  if (typeof value !== "string") return null;
  const day = DAY.exec(value)?.[0];
  if (!day || !isDay(day)) return null;
  return { value: day, exact: day === value };
}

const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function isDay(day: string): boolean {
  const [year, month, date] = [Number(day.slice(0, 4)), Number(day.slice(5, 7)), Number(day.slice(8, 10))];
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  if (month === 2 && date === 29) return isLeap;
  return date >= 1 && date <= (DAYS[month - 1] ?? 0);
}

const MOMENT = /^((?!0000)\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?)(?:Z|\+00:?00|([+-]\d{2}):?(\d{2}))$/;

/**
 * Milliseconds since 1970 of a moment in the form of Salesforce, `2024-07-24T14:05:58.000+0000`; null if it is none.
 */
export function parseMoment(value: unknown): number | null {
  if (typeof value !== "string") return null;
  const [, day, time, hours, minutes] = MOMENT.exec(value) ?? [];
  if (!day || !isDay(day)) return null;
  const moment = Date.parse(`${day}${time}${hours ? `${hours}:${minutes}` : "Z"}`);
  return Number.isNaN(moment) ? null : moment;
}

function toTimestamp(value: unknown): Conversion | null {
  const moment = parseMoment(value);
  if (moment !== null) return same(new Date(moment).toISOString());
  const day = toDate(value);
  return day && { value: `${day.value}T00:00:00.000Z`, exact: false };
}

/** The conversions by kind. Enums and references have separate rules. */
export const CONVERSIONS: Record<Exclude<FieldKind, "id" | "enum" | "reference" | "object">, Convert> = {
  text: toText,
  money: toMoney,
  integer: toInteger,
  boolean: toBoolean,
  date: toDate,
  timestamp: toTimestamp,
};
