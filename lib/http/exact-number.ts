/** Of a double, so many decimal digits tell it from every other one (IEEE 754). */
const MOST_DIGITS = 17;
/** More characters than the smallest double takes without an exponent; whoever writes more means to keep us busy. */
const LONGEST = 400;

/**
 * Whether a number as JSON writes it is what a reader makes of it: not rounded (12345678901234567890), not infinite (1e400). A double written
 * out with up to 17 digits is exact, since every reader gets the same double (RFC 7493 §2.2).
 */
export function isExactNumber(literal: string): boolean {
  // What nearly all numbers are needs no closer look.
  if (/^-?\d{1,15}$/.test(literal)) return true;
  const read = literal.length > LONGEST ? Number.NaN : Number(literal);
  if (!Number.isFinite(read)) return false;
  const { digits, exponent } = decimal(literal);
  const isSame = (other: string) => {
    const written = decimal(other);
    return written.digits === digits && (digits === "" || written.exponent === exponent);
  };
  return isSame(String(read)) || (digits.length > 0 && digits.length <= MOST_DIGITS && isSame(read.toPrecision(digits.length)));
}

/** The significant digits, without zeros at either end, and the power of ten of the last one. Zero has no digits. */
function decimal(literal: string): { digits: string; exponent: number } {
  const [, whole = "", fraction = "", power = "0"] = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(literal) ?? [];
  const significant = `${whole}${fraction}`.replace(/^0+/, "");
  const digits = significant.replace(/0+$/, "");
  return { digits, exponent: Number(power) - fraction.length + significant.length - digits.length };
}
