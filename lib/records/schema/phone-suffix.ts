/** Fewer digits end too many numbers. */
const MIN_DIGITS = 5;

/** No number has more, with all that can stand before it (ITU-T E.164 §6). */
const MAX_DIGITS = 20;

/** What ends a phone number, where several stand in one field, or an extension behind it: as `phone_words` has it. */
const ENDS =
  /[^0-9 \t()./'_\u00AD\u00B7\u2000-\u2015\u202A-\u202F\u2060-\u2064\u2212\uFEFF-]+|\/[ \t]*(?=[0(])|[(](?=0[0-9])/u;

/** "Tel.: " */
const LABEL = /^\p{L}{1,12}[.:]+\s*/u;

/** A word behind a number that makes no other text of it. */
const EXTENSION = /^(?:ext|x|dw|durchwahl|доб)(?!\p{L})/iu;

/** The calling codes of countries (ITU-T E.164, list of assigned codes): one digit, two, and all others three. */
const CALLING_CODE = /^(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[12469]|9[0-58]|\d{3})/;

/**
 * The digits with which a phone number ends however it is written, of a text that people search for; null if it is no
 * number. `+49 (0)30 12345678`, `0049 30 12345678` and `030/12345678` all are `3012345678`, which ends each of them. Of
 * several numbers it is the first.
 */
export function phoneSuffix(text: string): string | null {
  const [, plus, rest = ""] = /^([ (]*\+)?(.*)$/su.exec(normalized(text).replace(LABEL, "")) ?? [];
  const [number = ""] = rest.split(ENDS);
  const behind = rest.slice(number.length);
  const isOther = /^\p{L}/u.test(behind) && !number.endsWith("(") && !EXTENSION.test(behind);
  const suffix = nationalDigits(digitsOf(number), plus !== undefined).replace(/^0+/, "");
  return isOther || suffix.length < MIN_DIGITS || suffix.length > MAX_DIGITS ? null : suffix;
}

function nationalDigits(digits: string, hasPlus: boolean): string {
  if (hasPlus || /^00[1-9]/.test(digits)) return digits.replace(/^0+/, "").replace(CALLING_CODE, "");
  // As one dials abroad from North America. No number within a country has so many digits.
  if (/^011[1-9]\d{10,}$/.test(digits)) return digits.slice(3).replace(CALLING_CODE, "");
  // North America dials 1 before its ten digits (NANP).
  return /^1\d{10}$/.test(digits) ? digits.slice(1) : digits;
}

/** Whether one of the phone numbers in a field, as somebody has written them down, ends with these digits. */
export function endsWithDigits(field: string, suffix: string): boolean {
  const numbers = normalized(field).split(ENDS).map(digitsOf);
  return numbers.some((number) => number.length >= MIN_DIGITS && number.endsWith(suffix));
}

/** Without the invisible marks that a copied number can begin with. */
function normalized(text: string): string {
  return text
    .normalize("NFKC")
    .replaceAll(/\p{Cf}/gu, "")
    .trim();
}

function digitsOf(number: string): string {
  return number.replaceAll(/\D/g, "");
}
