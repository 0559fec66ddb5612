import { shareOf } from "@/lib/mcp/equal-share";

/** Text of a record as an assistant may see it in a list. Longer texts are cut, with a note of where and how long. */
const MAX_TEXT = 500;

/** The most characters of all texts together, where records are asked for by id. */
const MAX_WHOLE_TEXTS = 20_000;

/** Ids, times, names and the like are never cut there, and do not count. */
const MAX_SHORT_TEXT = 100;

/**
 * Characters that no reader of a record sees, but an assistant reads, and in which instructions have been hidden:
 * control characters except tab and line feed; what Unicode has no shape for (Default_Ignorable_Code_Point, UAX #44:
 * marks of direction, variation selectors, the tags block), the joiners (U+200C, U+200D) apart; separators of lines,
 * blanks that are no spaces, and marks of annotations and of musical notation.
 */
const INVISIBLE = new RegExp(
  String.raw`[[\0-\x08\x0B-\x1F\x7F-\x9F\p{Default_Ignorable_Code_Point}` +
    String.raw`\u2028\u2029\u2800\uFFF9-\uFFFB\u{1D173}-\u{1D17A}]--[\u200C\u200D]]`,
  "gv",
);

/** Scripts whose letters a joiner shapes (UAX #31 §2.3, "Layout and Format Control Characters"). */
const SHAPED = (
  "Adlam Arabic Hanifi_Rohingya Mandaic Manichaean Mongolian Nko Syriac Balinese Bengali Devanagari Gujarati " +
  "Gurmukhi Javanese Kannada Khmer Malayalam Myanmar Oriya Sinhala Tamil Telugu Tibetan"
).split(" ");

const SHAPED_LETTER = String.raw`[[\p{L}\p{M}]&&[${SHAPED.map((script) => String.raw`\p{scx=${script}}`).join("")}]]`;

/**
 * Joiners that join nothing: all but a single one after a letter of these scripts, and U+200D between two emoji. Among
 * other characters, and in rows, they are as invisible as the rest.
 */
const IDLE_JOINER = new RegExp(
  String.raw`(?!(?<=${SHAPED_LETTER})[\u200C\u200D](?![\u200C\u200D]))` +
    String.raw`(?!(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}])\u200D(?=\p{Extended_Pictographic}))[\u200C\u200D]`,
  "gv",
);

/** Most texts are of these characters alone, and are done with at once. */
const PRINTABLE_ASCII = /^[\t\n -~]*$/;

/** A text as a reader sees it. */
export function visibleText(text: string): string {
  if (PRINTABLE_ASCII.test(text)) return text;
  return text.replaceAll("\r\n", "\n").replaceAll(INVISIBLE, "").replaceAll(IDLE_JOINER, "").toWellFormed();
}

/** What stands in place of the rest of a text, and of what comes before a part of it. */
const CUT = /… \[cut at (\d+) of (\d+) characters\]$/;
const CONTINUED = /^\[continued at (\d+)\] …/;

/** The paths of the texts within a JSON value that are only parts of others, as {@link plainText} has cut them. */
export function cutTexts(value: unknown, path: readonly string[] = []): string[][] {
  if (typeof value === "string") return CUT.test(value) || CONTINUED.test(value) ? [[...path]] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => cutTexts(inner, [...path, name]));
}

/** A text without invisible characters, from `offset` on, cut after `max` characters. */
function plainText(text: string, max = MAX_TEXT, offset = 0): string {
  const visible = visibleText(text);
  return offset === 0 && visible.length <= max ? visible : partOf(visible, max, offset);
}

/** A part of a text, which says where it stands in the whole one. The text may be a part itself. */
function partOf(text: string, max: number, offset: number): string {
  const whole = text.replace(CONTINUED, "").replace(CUT, "");
  const begin = Number(CONTINUED.exec(text)?.[1] ?? 0);
  const length = Math.max(begin + whole.length, Number(CUT.exec(text)?.[2] ?? 0));
  const start = begin + offset;
  if (start >= length) return "";
  // A character is not cut in two: the first half of a pair comes with the next part.
  const part = whole
    .slice(offset, offset + max)
    .replace(/[\uD800-\uDBFF]$/, "")
    .toWellFormed();
  const end = start + part.length;
  const continued = start > 0 ? `[continued at ${start}] …` : "";
  return end < length ? `${continued}${part}… [cut at ${end} of ${length} characters]` : continued + part;
}

/**
 * How much of each text is shown where these records are asked for by id, from `offset` on: long texts share
 * {@link MAX_WHOLE_TEXTS} equally.
 */
export function shareOfText(records: readonly unknown[], offset = 0): number {
  const long = lengthsIn(records)
    .map((length) => length - offset)
    .filter((length) => length > MAX_SHORT_TEXT);
  return Math.max(shareOf(long, MAX_WHOLE_TEXTS), MAX_SHORT_TEXT);
}

function lengthsIn(value: unknown): number[] {
  if (typeof value === "string") return [value.length];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(lengthsIn) : [];
}

/**
 * {@link plainText} for every string within a JSON value, names included. Leaves out what has no value: null, false, ""
 * and {}.
 */
export function plainValue(value: unknown, max = MAX_TEXT, offset = 0): unknown {
  if (typeof value === "string") return plainText(value, max, offset);
  if (Array.isArray(value)) return value.map((item) => plainValue(item, max, offset));
  if (typeof value !== "object" || value === null) return value;
  const kept: [name: string, value: unknown][] = [];
  for (const [name, inner] of Object.entries(value)) {
    const shown = isEmpty(inner) ? "" : plainValue(inner, max, offset);
    if (!isEmpty(shown)) kept.push([plainText(name), shown]);
  }
  return Object.fromEntries(kept);
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === "" || value === false) return true;
  return typeof value === "object" && !Array.isArray(value) && Object.keys(value).length === 0;
}
