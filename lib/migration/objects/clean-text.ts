/**
 * Text that PostgreSQL and JSON can hold: U+0000, which PostgreSQL cannot store, is dropped, and halves of surrogate pairs become
 * U+FFFD. Everything else stays as it is, letter by letter.
 */
export function cleanText(text: string): string {
  const withoutNul = text.includes("\0") ? text.replaceAll("\0", "") : text;
  return withoutNul.isWellFormed() ? withoutNul : withoutNul.toWellFormed();
}

/** {@link cleanText} for every text within a JSON value. */
export function cleanJson(value: unknown): unknown {
  if (typeof value === "string") return cleanText(value);
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(cleanJson);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [cleanText(key), cleanJson(inner)]));
}
