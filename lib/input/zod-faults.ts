import type { z } from "zod";

import { formatCount, formatNumber } from "@/lib/amounts";
import type { Fault, FaultCode } from "@/lib/errors";
import { type Suggest, didYouMean, truncateName } from "@/lib/input/suggest";

type Issue = z.core.$ZodIssue;

/** Our code for each of zod's. Clients rely on them, so they must not change with the library. */
const CODES: { [Code in Issue["code"]]: FaultCode | ((issue: Extract<Issue, { code: Code }>) => FaultCode) } = {
  invalid_type: ({ expected }) => (expected === "never" ? "invalid_value" : "invalid_type"),
  too_small: ({ origin }) => (hasLength(origin) ? "too_short" : "out_of_range"),
  too_big: ({ origin }) => (hasLength(origin) ? "too_long" : "out_of_range"),
  invalid_format: "invalid_format",
  invalid_value: "invalid_value",
  invalid_union: "invalid_value",
  not_multiple_of: "invalid_value",
  unrecognized_keys: "unknown_field",
  invalid_key: ({ issues: [issue] }) => (issue ? codeOf(issue) : "invalid_value"),
  invalid_element: "invalid_value",
  custom: "invalid_value",
};

/** The code of a fault. A schema gives its own by `refine(…, { params: { code } })`; a missing value is `required`. */
export function faultCode(issue: Issue, value: unknown): Fault["code"] {
  if (issue.code === "custom") return (issue.params?.code as Fault["code"] | undefined) ?? "invalid_value";
  return value === undefined ? "required" : codeOf(issue);
}

function codeOf(issue: Issue): FaultCode {
  const code = CODES[issue.code];
  return typeof code === "string" ? code : (code as (issue: Issue) => FaultCode)(issue);
}

function hasLength(origin: string): boolean {
  return origin !== "number" && origin !== "int" && origin !== "bigint" && origin !== "date";
}

/** The value at the issue's place, and how a sentence names it. */
interface FaultyValue {
  subject: string;
  value: unknown;
  suggest: Suggest;
}

type Sentences = { [Code in Issue["code"]]?: (issue: Extract<Issue, { code: Code }>, faulty: FaultyValue) => string };

const SENTENCES: Sentences = {
  invalid_type: ({ expected }, { subject, value }) =>
    `${subject} must be ${TYPES[expected] ?? expected}, not ${kindOf(value)}.`,
  too_small: ({ minimum, origin }, { subject }) => `${subject} must ${amountOf(origin, "at least", minimum)}.`,
  too_big: ({ maximum, origin }, { subject }) => `${subject} must ${amountOf(origin, "at most", maximum)}.`,
  invalid_format: ({ format }, { subject }) =>
    `${subject} must be written as ${FORMATS[format] ?? "its description says"}.`,
  invalid_value: ({ values }, faulty) => `${faulty.subject} must be ${choiceOf(values)}${suggestionOf(faulty, values)}`,
  invalid_key: ({ issues }, { subject }) => issues[0]?.message || `${subject} cannot be a name here.`,
  not_multiple_of: ({ divisor }, { subject }) => `${subject} must be a multiple of ${divisor}.`,
};

/** A sentence for a fault whose schema has none: what is expected, and what was given. */
export function faultSentence(issue: Issue, value: unknown, suggest: Suggest): string {
  const name = issue.path.at(-1);
  const subject = typeof name === "string" ? `\`${truncateName(name)}\`` : "This";
  if (value === undefined) return `${subject} is needed.`;
  const write = SENTENCES[issue.code] as ((issue: Issue, faulty: FaultyValue) => string) | undefined;
  return write?.(issue, { subject, value, suggest }) ?? `${subject} is not allowed; its description says what is.`;
}

const TYPES: Record<string, string> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

const FORMATS: Record<string, string> = {
  email: "an e-mail address, like ada@example.com",
  url: "an address, like https://example.com",
  uuid: "an id: a UUID",
  date: "a date, like 2026-12-31",
  datetime: "a time with its offset, like 2026-12-31T09:30:00Z",
};

function kindOf(value: unknown): string {
  if (value === null || typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return "a list";
  return typeof value === "number" && !Number.isInteger(value) ? "a fraction" : (TYPES[typeof value] ?? "that");
}

function amountOf(origin: string, bound: string, amount: number | bigint): string {
  if (origin === "string") return `have ${bound} ${formatCount(Number(amount), "character")}`;
  return origin === "array" || origin === "set"
    ? `have ${bound} ${formatCount(Number(amount), "entry", "entries")}`
    : `be ${bound} ${formatNumber(amount)}`;
}

function choiceOf(values: readonly unknown[]): string {
  const written = values.map((value) => `\`${String(value)}\``).join(", ");
  return values.length === 1 ? written : `one of ${written}`;
}

function suggestionOf({ value, suggest }: FaultyValue, values: readonly unknown[]): string {
  const suggestion = typeof value === "string" && values.length > 1 ? suggest(value, values.map(String)) : undefined;
  return didYouMean(suggestion);
}
