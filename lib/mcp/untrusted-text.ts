/** Text of a record as an assistant may see it in a list. Longer texts are cut, with a note of how long they are. */
const MAX_TEXT = 500;

/** Where one record is asked for by its id. */
export const MAX_WHOLE_TEXT = 20_000;

/**
 * Characters that no reader of a record sees, but an assistant reads, and in which instructions have been hidden:
 * control characters except tab and line feed; what Unicode has no shape for (Default_Ignorable_Code_Point, UAX #44:
 * marks of direction, joiners, variation selectors, the tags block); separators of lines, blanks that are no spaces,
 * and marks of annotations and of musical notation.
 */
const INVISIBLE = new RegExp(
  String.raw`[\0-\x08\x0B-\x1F\x7F-\x9F\p{Default_Ignorable_Code_Point}` +
    String.raw`\u2028\u2029\u2800\uFFF9-\uFFFB\u{1D173}-\u{1D17A}]`,
  "gu",
);

/** Most texts are of these characters alone, and are done with at once. */
const PRINTABLE_ASCII = /^[\t\n -~]*$/;

/** The end of a text that was cut before. */
const CUT = /… \[cut: (\d+) characters\]$/;

/** Whether a text is the beginning of a longer one, as {@link plainText} has cut it. */
export function isCut(text: string): boolean {
  return CUT.test(text);
}

/** A text without invisible characters, cut after `max` characters. */
function plainText(text: string, max = MAX_TEXT): string {
  const visible = PRINTABLE_ASCII.test(text)
    ? text
    : text.replaceAll("\r\n", "\n").replaceAll(INVISIBLE, "").toWellFormed();
  if (visible.length <= max) return visible;
  const length = CUT.exec(visible)?.[1] ?? visible.length;
  return `${visible.slice(0, max).toWellFormed()}… [cut: ${length} characters]`;
}

/**
 * {@link plainText} for every string within a JSON value, names included. Leaves out what has no value: null, false, ""
 * and {}.
 */
export function plainValue(value: unknown, max = MAX_TEXT): unknown {
  if (typeof value === "string") return plainText(value, max);
  if (Array.isArray(value)) return value.map((item) => plainValue(item, max));
  if (typeof value !== "object" || value === null) return value;
  const kept: [name: string, value: unknown][] = [];
  for (const [name, inner] of Object.entries(value))
    if (!isEmpty(inner)) kept.push([plainText(name), plainValue(inner, max)]);
  return Object.fromEntries(kept);
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === "" || value === false) return true;
  return typeof value === "object" && !Array.isArray(value) && Object.keys(value).length === 0;
}
