import { roll, salt } from "./hash";

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const CHECK = "ABCDEFGHIJKLMNOPQRSTUVWXYZ012345";
/** Stands between key prefix and counter: pod, reserved digit, four leading zeros of the nine-digit counter. */
const POD = "Hs00000";
const FIRST_COUNTER = 3 * 62 ** 4;
/** Each record has seven counters, of which it uses one. The last of each seven is never used. */
const STRIDE = 7;
const JITTER = salt("id.jitter");

const PAIRS = Array.from({ length: 62 * 62 }, (_, i) => `${DIGITS[Math.floor(i / 62)]}${DIGITS[i % 62]}`);
const DIGIT_VALUE = new Map([...DIGITS].map((digit, value) => [digit, value]));

function checkLetter(chunk: string): string {
  let bits = 0;
  for (let i = 0; i < 5; i++) {
    const code = chunk.charCodeAt(i);
    if (code >= 65 && code <= 90) bits |= 1 << i;
  }
  return CHECK[bits] ?? "A";
}

/** Appends the three letters that make a 15-character id unique without case. */
export function to18(id: string): string {
  return id.length === 15
    ? id + checkLetter(id.slice(0, 5)) + checkLetter(id.slice(5, 10)) + checkLetter(id.slice(10, 15))
    : id;
}

function counterOf(seed: number, ordinal: number): number {
  return FIRST_COUNTER + ordinal * STRIDE + (roll(seed, JITTER, ordinal) % (STRIDE - 1));
}

function encode(keyPrefix: string, counter: number): string {
  const low = counter % 3844;
  const middle = Math.floor(counter / 3844) % 3844;
  const high = DIGITS[Math.floor(counter / 14_776_336)] ?? "z";
  const digits = high + PAIRS[middle] + PAIRS[low];
  return `${keyPrefix}${POD}${digits}${checkLetter(keyPrefix + POD.slice(0, 2))}A${checkLetter(digits)}`;
}

/** The 18-character id of a record. Ids ascend in ASCII order with the ordinals. */
export function idAt(seed: number, keyPrefix: string, ordinal: number): string {
  return encode(keyPrefix, counterOf(seed, ordinal));
}

/** A well-formed id that never belongs to a record. */
export function missingId(keyPrefix: string, ordinal: number): string {
  return encode(keyPrefix, FIRST_COUNTER + ordinal * STRIDE + STRIDE - 1);
}

function counterIn(id: string): number {
  let counter = 0;
  for (let i = 10; i < 15; i++) counter = counter * 62 + (DIGIT_VALUE.get(id[i] ?? "0") ?? 0);
  return counter;
}

/** The ordinal of an id of 15 or 18 characters, or -1. It may lie beyond the last record. */
export function ordinalOf(seed: number, keyPrefix: string, id: string): number {
  if (id.length < 15 || !id.startsWith(keyPrefix + POD)) return -1;
  const counter = counterIn(id);
  const ordinal = Math.floor((counter - FIRST_COUNTER) / STRIDE);
  return ordinal >= 0 && counterOf(seed, ordinal) === counter ? ordinal : -1;
}

/** The first ordinal whose id is greater than `id` (or equal to it, with `inclusive`). */
export function firstOrdinalAfter(seed: number, keyPrefix: string, id: string, inclusive: boolean): number {
  const lead = keyPrefix + POD;
  const head = id.slice(0, lead.length);
  if (head !== lead) return head < lead ? 0 : Number.MAX_SAFE_INTEGER;
  const counter = counterIn(id);
  const ordinal = Math.floor((counter - FIRST_COUNTER) / STRIDE);
  if (ordinal < 0) return 0;
  const own = counterOf(seed, ordinal);
  return own > counter || (inclusive && own === counter) ? ordinal : ordinal + 1;
}
