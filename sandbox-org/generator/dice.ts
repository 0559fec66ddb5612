import { DAY, date, datetime, wholeSecond } from "./clock";
import { below, chance, pick, roll, salt } from "./hash";
import type { Org } from "./population";
import { longText } from "./text";

export type Value<T> = (org: Org, ordinal: number) => T;

const FROM_1970 = Date.UTC(1970, 0, 1);
const MARKER = /^[*-]/;

/** Random attributes of one object. Each is a pure function of org and ordinal, salted with the attribute's name. */
export class Dice {
  constructor(private readonly object: string) {}

  salt(attribute: string): number {
    return salt(`${this.object}.${attribute}`);
  }

  integer(attribute: string, minimum: number, maximum: number): Value<number> {
    const own = this.salt(attribute);
    return (org, n) => minimum + below(maximum - minimum + 1, org.seed, own, n);
  }

  chance(attribute: string, perMille: number): Value<boolean> {
    const own = this.salt(attribute);
    return (org, n) => chance(perMille, org.seed, own, n);
  }

  pick<T>(attribute: string, list: readonly T[]): Value<T> {
    const own = this.salt(attribute);
    return (org, n) => pick(list, org.seed, own, n);
  }

  /** The value for `perMille` of a thousand records, null for the others. */
  maybe<T>(attribute: string, perMille: number, value: Value<T>): Value<T | null> {
    const own = this.salt(`${attribute}?`);
    return (org, n) => (chance(perMille, org.seed, own, n) ? value(org, n) : null);
  }

  /** One of the values, inactive ones included. `unlisted` is a rare value that is not in the list. */
  picklist(attribute: string, written: readonly string[], filled = 850, unlisted?: string): Value<string | null> {
    const own = this.salt(attribute);
    const values = written.map((value) => value.replace(MARKER, ""));
    return (org, n) => {
      if (!chance(filled, org.seed, own ^ 1, n)) return null;
      return unlisted !== undefined && chance(8, org.seed, own ^ 2, n) ? unlisted : pick(values, org.seed, own, n);
    };
  }

  multipicklist(attribute: string, written: readonly string[]): Value<string | null> {
    const own = this.salt(attribute);
    const values = written.map((value) => value.replace(MARKER, ""));
    return (org, n) => {
      const bits = roll(org.seed, own, n) & roll(org.seed, own ^ 1, n);
      const chosen = values.filter((_, i) => bits & (1 << i));
      return chosen.length > 0 ? chosen.join(";") : null;
    };
  }

  text(attribute: string, maximum: number): Value<string> {
    const own = this.salt(attribute);
    return (org, n) => longText(org, own, n, maximum);
  }

  phone(attribute: string): Value<string> {
    const own = this.salt(attribute);
    return (org, n) => {
      const number = roll(org.seed, own, n);
      const last = String(number % 10_000).padStart(4, "0");
      if (number % 7 === 0) return `+49 (0)30 ${number % 900}-${last}`;
      if (number % 7 === 1) return `(${200 + (number % 700)}) 555-${last}`;
      if (number % 211 === 2) return `+1 555 ${last} ext. 12345678901234567890`.slice(0, 40);
      return number % 97 === 3 ? `call ${last}, ask for Jo` : `+1555${String(number % 10_000_000).padStart(7, "0")}`;
    };
  }

  /** Amounts with cents: mostly ordinary, some negative, some the largest that fits. */
  money(attribute: string, maximum: number): Value<number> {
    const own = this.salt(attribute);
    return (org, n) => {
      const number = roll(org.seed, own, n);
      if (number % 331 === 0) return 9_999_999_999_999.99;
      const cents = below(maximum * 100, org.seed, own ^ 1, n) / 100;
      return number % 41 === 0 ? -cents : cents;
    };
  }

  date(attribute: string, from: number, to: number): Value<string> {
    const own = this.salt(attribute);
    return (org, n) =>
      roll(org.seed, own ^ 1, n) % 701 === 0
        ? date(FROM_1970)
        : date(from + below((to - from) / DAY, org.seed, own, n) * DAY);
  }

  datetime(attribute: string, from: number, to: number): Value<string> {
    const own = this.salt(attribute);
    return (org, n) => datetime(wholeSecond(from + below(to - from, org.seed, own, n)));
  }
}
