/** What an answer from outside may hold, unpacked. Whatever is more is refused before it is parsed. */
export interface ResponseBound {
  bytes: number;
  /**
   * As {@link JsonBounds} counts them: a parsed value takes up to 110 bytes of the heap, however few it has as text.
   */
  values: number;
}

/**
 * Deeper than any answer that this service asks for; what walks values by recursion ends long before its stack does.
 */
const MAX_DEPTH = 32;

const [QUOTE, BACKSLASH, COMMA, OPENING, CLOSING] = [0x22, 0x5c, 0x2c, 0x5b, 0x5d];

/** An answer that is not read any further. The message is a sentence that begins with “It”. */
export class ResponseRefused extends Error {
  override readonly name = "AnswerRefused";
}

/** One that is well made and only larger than the bound: asked for less, the same host may keep it. */
export class ResponseTooLarge extends ResponseRefused {}

/** The refusal of an answer that has more than `bytes`. */
export function tooManyBytesError(bytes: number): ResponseTooLarge {
  return new ResponseTooLarge(`It has more than ${Math.round(bytes / 1024)} KiB.`);
}

/** JSON of at most so many values, or undefined when the text is none. Throws {@link ResponseRefused}. */
export function parseBoundedJson(text: string, values: number): unknown {
  const broken = exceededBound(text, { values, depth: MAX_DEPTH });
  if (broken === "depth") throw new ResponseRefused(`It is nested deeper than ${MAX_DEPTH} levels.`);
  if (broken) throw new ResponseTooLarge(`It has more than ${values} values.`);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** How much a JSON text may have. */
export interface JsonBounds {
  /** Objects and lists, and whatever else stands between commas; an empty object or list between commas is two. */
  values: number;
  /** Of one object or list. */
  entries?: number;
  /** Of objects and lists within one another. */
  depth?: number;
}

/**
 * Says which bound a text breaks first, or undefined when it keeps all. One pass that parses nothing and takes a third
 * of the time that parsing takes; strings are one value whatever they hold. What is no JSON is counted as if it were.
 */
export function exceededBound(text: string, bounds: JsonBounds): keyof JsonBounds | undefined {
  /** The entries so far of each object and list around the one at hand, and of that. */
  const around: number[] = [];
  let entries = 1;
  let values = 1;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    if (sign === QUOTE) at = endOfString(text, at);
    else if (sign === COMMA) {
      entries += 1;
      values += 1;
    } else if (inBrackets(sign) === OPENING) {
      around.push(entries);
      entries = 1;
      values += 1;
    } else {
      if (inBrackets(sign) === CLOSING) entries = around.pop() ?? 1;
      continue;
    }
    const broken = exceeded(bounds, values, entries, around.length);
    if (broken) return broken;
  }
  return undefined;
}

/** A brace is a bracket with one bit more. */
function inBrackets(sign: number): number {
  return sign & ~0x20;
}

function exceeded(most: JsonBounds, values: number, entries: number, depth: number): keyof JsonBounds | undefined {
  if (most.depth !== undefined && depth > most.depth) return "depth";
  if (most.entries !== undefined && entries > most.entries) return "entries";
  return values > most.values ? "values" : undefined;
}

/**
 * Where the string ends that begins at `start`: at the next quote with an even number of backslashes before it, or with
 * the text.
 */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let from = at;
    while (text.charCodeAt(from - 1) === BACKSLASH) from -= 1;
    if ((at - from) % 2 === 0) return at;
  }
  return text.length;
}
