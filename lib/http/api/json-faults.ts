import { type Fault, MAX_FAULTS } from "@/lib/errors";
import { pointerTo } from "@/lib/input/parse-input";

/** Deeper than any input of ours, and shallow enough for recursive functions. */
const MAX_DEPTH = 64;

/** Strings, numbers and structure. Literals and white space do not matter here. The text is known to be valid JSON. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],]|-?\d[\d.eE+-]*/g;

/** An object or array that is open at this position of the text. */
interface Level {
  /** The names so far; null in an array. */
  names: Set<string> | null;
  /** The name or index of the present value. */
  at: string | number;
  awaitsName: boolean;
}

/**
 * Finds what JSON readers understand differently or what no record can store: a repeated name within an object, a lone
 * surrogate, a number that would be rounded (all RFC 7493 §2), U+0000, the name `__proto__`, and too deep nesting.
 * JSON.parse accepts all of these.
 */
export function jsonFaults(text: string): Fault[] {
  const levels: Level[] = [];
  const faults: Fault[] = [];
  for (const [token] of text.matchAll(TOKEN)) {
    const code = follow(levels, token);
    if (code) faults.push({ pointer: pointerTo(levels.map(({ at }) => at)), code, detail: DETAILS[code] });
    if (code === "too_deep" || faults.length === MAX_FAULTS) break;
  }
  return faults;
}

const DETAILS = {
  repeated_name: "This name is given twice, and only one of the two would count; send it once.",
  unknown_field: "`__proto__` is not known here.",
  invalid_text: "A text must not contain the character U+0000 or half of a surrogate pair.",
  inexact_number:
    "This number is too large, or has more digits than readers of JSON keep. Write fewer digits; a custom field " +
    "can hold it as a text.",
  too_deep: `Objects and lists may be nested ${MAX_DEPTH} deep.`,
};

function follow(levels: Level[], token: string): keyof typeof DETAILS | undefined {
  const level = levels.at(-1);
  if (token === "{" || token === "[") return open(levels, token === "{");
  if (token === "}" || token === "]") {
    levels.pop();
  } else if (token === ",") {
    if (typeof level?.at === "number") level.at += 1;
    else if (level) level.awaitsName = true;
  } else {
    return token.startsWith('"') ? readText(level, token) : readNumber(token);
  }
  return undefined;
}

function readNumber(token: string): "inexact_number" | undefined {
  return isExactNumber(token) ? undefined : "inexact_number";
}

function open(levels: Level[], isObject: boolean): "too_deep" | undefined {
  levels.push({ names: isObject ? new Set() : null, at: isObject ? "" : 0, awaitsName: isObject });
  return levels.length > MAX_DEPTH ? "too_deep" : undefined;
}

function readText(level: Level | undefined, token: string): keyof typeof DETAILS | undefined {
  const text = token.includes("\\") ? (JSON.parse(token) as string) : token.slice(1, -1);
  if (level?.awaitsName) {
    level.at = text;
    level.awaitsName = false;
    if (text === "__proto__") return "unknown_field";
    if (level.names?.has(text)) return "repeated_name";
    level.names?.add(text);
  }
  return text.includes("\0") || !text.isWellFormed() ? "invalid_text" : undefined;
}

/** So many decimal digits distinguish a double from every other one (IEEE 754). */
const MAX_SIGNIFICANT_DIGITS = 17;

/** More characters than the smallest double needs without an exponent. Longer literals only cost time. */
const MAX_LITERAL_LENGTH = 400;

/**
 * Whether a number as JSON writes it is what a reader makes of it: not rounded (12345678901234567890), not infinite
 * (1e400). A double written out with up to 17 digits is exact, since every reader gets the same double (RFC 7493 §2.2).
 */
export function isExactNumber(literal: string): boolean {
  // What nearly all numbers are needs no closer look.
  if (/^-?\d{1,15}$/.test(literal)) return true;
  const read = literal.length > MAX_LITERAL_LENGTH ? Number.NaN : Number(literal);
  if (!Number.isFinite(read)) return false;
  const { digits, exponent } = decimal(literal);
  const isSame = (other: string) => {
    const written = decimal(other);
    return written.digits === digits && (digits === "" || written.exponent === exponent);
  };
  return (
    isSame(String(read)) ||
    (digits.length > 0 && digits.length <= MAX_SIGNIFICANT_DIGITS && isSame(read.toPrecision(digits.length)))
  );
}

/** The significant digits, without zeros at either end, and the power of ten of the last one. Zero has no digits. */
function decimal(literal: string): { digits: string; exponent: number } {
  const [, whole = "", fraction = "", power = "0"] = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(literal) ?? [];
  const significant = `${whole}${fraction}`.replace(/^0+/, "");
  const digits = significant.replace(/0+$/, "");
  return { digits, exponent: Number(power) - fraction.length + significant.length - digits.length };
}
