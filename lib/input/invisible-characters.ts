/**
 * Control characters, line and paragraph separators, direction overrides, and characters that render as nothing or as
 * blank space. The joiners of emoji and Persian are not among them: between other characters they have a visible
 * effect.
 */
const INVISIBLE = new RegExp(
  "[\\p{Cc}\\p{Zl}\\p{Zp}\\u00ad\\u061c\\u115f\\u1160\\u180e\\u200b\\u200e\\u200f\\u202a-\\u202e" +
    "\\u2060-\\u206f\\u2800\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb\\u{e0000}-\\u{e007f}]",
  "gu",
);

const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;

/** The fault of a name for which {@link hasInvisibleCharacters} holds. */
export const INVISIBLE_FAULT = "A name cannot contain control characters or invisible characters.";

/** Whether a name has invisible characters or nothing else. People decide by names whom they trust. */
export function hasInvisibleCharacters(name: string): boolean {
  return name.search(INVISIBLE) >= 0 || (name !== "" && !VISIBLE.test(name));
}

/** A name from another system, with a space for each invisible character; empty when nothing visible is left. */
export function withoutInvisibleCharacters(name: string): string {
  const seen = name.replaceAll(INVISIBLE, " ").trim();
  return VISIBLE.test(seen) ? seen : "";
}
