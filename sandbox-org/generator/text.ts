import { SENTENCES } from "../words/sentences";
import { below, pick, roll, salt } from "./hash";
import type { Org } from "./population";

const LENGTH = salt("text.length");
const SENTENCE = salt("text.sentence");
const BREAK = salt("text.break");

/** `count` sentences in many languages, sometimes separated by line breaks, LF or CRLF. */
export function sentences(org: Org, salt: number, ordinal: number, count: number): string {
  let text = "";
  for (let i = 0; i < count; i++) {
    const place = ordinal * 31 + i;
    if (i > 0) {
      const breaker = roll(org.seed, BREAK ^ salt, place) & 15;
      text += breaker === 0 ? "\r\n\r\n" : breaker < 3 ? "\n" : " ";
    }
    text += pick(SENTENCES, org.seed, SENTENCE ^ salt, place);
  }
  return text;
}

/** Cuts the text to `length` without splitting a surrogate pair. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? length - 1 : length).trimEnd();
}

/** A note of a few sentences. One in 400 fills the field. */
export function longText(org: Org, salt: number, ordinal: number, maximum: number): string {
  const size = roll(org.seed, LENGTH ^ salt, ordinal);
  if (size % 400 === 0) {
    const paragraph = `${sentences(org, salt, ordinal, 40)}\n\n`;
    return cut(paragraph.repeat(Math.ceil(maximum / paragraph.length)), maximum);
  }
  return cut(
    sentences(org, salt, ordinal, 1 + below(size % 20 === 0 ? 30 : 6, org.seed, LENGTH ^ salt ^ 1, ordinal)),
    maximum,
  );
}
