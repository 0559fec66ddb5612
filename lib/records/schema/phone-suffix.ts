/** What stands between the digits of a telephone number, and what stands before and behind it. */
const PHONE = /^(?:tel:)?([\d\s()+.,/\-\u2010-\u2015]+)(?:(?:ext\.?|x|#|;)[^]*)?$/i;

/** Fewer digits end too many numbers. */
const MIN_DIGITS = 5;

/** No number has more, with all that can stand before it (ITU-T E.164 §6). */
const MAX_DIGITS = 20;

/** The calling codes of countries (ITU-T E.164, list of assigned codes): one digit, two, and all others three. */
const CALLING_CODE = /^(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[12469]|9[0-58]|\d{3})/;

/**
 * The digits with which a telephone number ends however it is written, of a text that people search for; null if it is
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
  // North America dials 1 before its ten digits (NANP).
  return /^1\d{10}$/.test(digits) ? digits.slice(1) : digits;
}

/** Whether a telephone number, as somebody has written it down, ends with these digits. */
export function endsWithDigits(phone: string, suffix: string): boolean {
  const [number = ""] = phone.normalize("NFKC").split(/(?<=\d\D*)[a-z#;]/i);
  return number.replaceAll(/\D/g, "").endsWith(suffix);
}
