/** What stands between the digits of a phone number, and what stands before and behind it. */
const PHONE = /^(?:tel:)?([\d\s()+.,/\-\u2010-\u2015]+)(?:(?:ext\.?|x|#|;)[^]*)?$/i;

/** Fewer digits end too many numbers. */
const MIN_DIGITS = 5;

/** No number has more, with all that can stand before it (ITU-T E.164 §6). */
const MAX_DIGITS = 20;

/** The calling codes of countries (ITU-T E.164, list of assigned codes): one digit, two, and all others three. */
const CALLING_CODE = /^(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[12469]|9[0-58]|\d{3})/;

/**
 * The digits with which a phone number ends however it is written, of a text that people search for; null if it is
 * no number. `+49 (0)30 12345678`, `0049 30 12345678` and `030/12345678` all are `3012345678`, which ends each of them.
 */
export function phoneSuffix(text: string): string | null {
  const [, number] = PHONE.exec(text.normalize("NFKC").trim()) ?? [];
  if (number === undefined) return null;
  const digits = number.replaceAll(/\D/g, "");
  const suffix = nationalDigits(number, digits).replace(/^0+/, "");
  return suffix.length < MIN_DIGITS || suffix.length > MAX_DIGITS ? null : suffix;
}

function nationalDigits(number: string, digits: string): string {
  if (/^\D*\+/.test(number) || /^00[1-9]/.test(digits)) return digits.replace(/^0+/, "").replace(CALLING_CODE, "");
  // As one dials abroad from North America. No number within a country has so many digits.
  if (/^011[1-9]\d{10,}$/.test(digits)) return digits.slice(3).replace(CALLING_CODE, "");
  // North America dials 1 before its ten digits (NANP).
  return /^1\d{10}$/.test(digits) ? digits.slice(1) : digits;
}

/** What stands between several numbers in one field, and before an extension (`phone_words`, `prisma/migrations`). */
const BETWEEN = /[a-z#;,|\n]+|\/\s*(?=[+0(])/i;

/** Whether one of the phone numbers in a field, as somebody has written them down, ends with these digits. */
export function endsWithDigits(field: string, suffix: string): boolean {
  const parts = field.normalize("NFKC").split(BETWEEN);
  const numbers = parts.map((part) => part.replaceAll(/\D/g, "")).filter(({ length }) => length >= MIN_DIGITS);
  return numbers.some((number) => number.endsWith(suffix));
}
