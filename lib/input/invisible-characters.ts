/**
 * Controls, line and paragraph ends, what turns text around, and what takes up room or none without being seen. The
 * joiners of emoji and of Persian are none of them: between other characters they are seen by what they do.
 */
const INVISIBLE =
  /[\p{Cc}\p{Zl}\p{Zp}\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;

/** What is said of a name that `hasInvisibleCharacters`. */
export const INVISIBLE_FAULT = "Control characters and invisible ones cannot be part of a name.";

/** Whether a name has characters that nobody sees, or no other ones: people decide by names whom they trust. */
export function hasInvisibleCharacters(name: string): boolean {
  return name.search(INVISIBLE) >= 0 || (name !== "" && !VISIBLE.test(name));
}

/**
 * A name of somebody else's making, with a space for each character that nobody sees; empty when there is nothing to
 * see.
 */
export function withoutInvisibleCharacters(name: string): string {
  const seen = name.replaceAll(INVISIBLE, " ").trim();
  return VISIBLE.test(seen) ? seen : "";
}
