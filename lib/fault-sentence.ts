import type { z } from "zod";

import type { Suggest } from "@/lib/nearest";
import { shortName } from "@/lib/short-name";

type Issue = z.core.$ZodIssue;

/** What a sentence is about: the value at the issue's place, and how to name it. */
interface Place {
  subject: string;
  value: unknown;
  suggest: Suggest;
}

type Sentences = { [Code in Issue["code"]]?: (issue: Extract<Issue, { code: Code }>, place: Place) => string };

const SENTENCES: Sentences = {
  invalid_type: ({ expected }, { subject, value }) => `${subject} must be ${TYPES[expected] ?? expected}, not ${kindOf(value)}.`,
  too_small: ({ minimum, origin }, { subject }) => `${subject} must ${amountOf(origin, "at least", minimum)}.`,
  too_big: ({ maximum, origin }, { subject }) => `${subject} must ${amountOf(origin, "at most", maximum)}.`,
  invalid_format: ({ format }, { subject }) => `${subject} must be written as ${FORMATS[format] ?? "its description says"}.`,
  invalid_value: ({ values }, place) => `${place.subject} must be ${choiceOf(values)}${meantBy(place, values)}`,
  invalid_key: ({ issues }, { subject }) => issues[0]?.message || `${subject} cannot be a name here.`,
  not_multiple_of: ({ divisor }, { subject }) => `${subject} must be a multiple of ${divisor}.`,
};

/** A sentence for a fault that its schema has none for: what must stand there, and what stands there. */
export function faultSentence(issue: Issue, value: unknown, suggest: Suggest): string {
  const name = issue.path.at(-1);
  const subject = typeof name === "string" ? `\`${shortName(name)}\`` : "This";
  if (value === undefined) return `${subject} is needed.`;
  const write = SENTENCES[issue.code] as ((issue: Issue, place: Place) => string) | undefined;
  return write?.(issue, { subject, value, suggest }) ?? `${subject} cannot be this; its description says what it can be.`;
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
  const written = amount.toLocaleString("en");
  const isOne = written === "1";
  if (origin === "string") return `have ${bound} ${written} ${isOne ? "character" : "characters"}`;
  return origin === "array" || origin === "set" ? `have ${bound} ${written} ${isOne ? "entry" : "entries"}` : `be ${bound} ${written}`;
}

function choiceOf(values: readonly unknown[]): string {
  const written = values.map((value) => `\`${String(value)}\``).join(", ");
  return values.length === 1 ? written : `one of ${written}`;
}

function meantBy({ value, suggest }: Place, values: readonly unknown[]): string {
  const meant = typeof value === "string" && values.length > 1 ? suggest(value, values.map(String)) : undefined;
  return meant === undefined ? "." : `; did you mean \`${meant}\`?`;
}
