import type { SourceRecord } from "@/lib/salesforce/query";

/** Currency → total; null: the total of all records. */
export type Totals = Map<string | null, number>;

/** Decimal digits that a JSON number keeps. */
const EXACT_DIGITS = 15;

/** There are fewer currencies. Whoever names more means to fill memory. */
export const MAX_CURRENCIES = 1000;

/** A sum, and what it has lost by rounding (Neumaier), so that a million amounts are added up as well as two. */
interface Sum {
  rounded: number;
  lost: number;
}

function addTo(sum: Sum, amount: number): void {
  const rounded = sum.rounded + amount;
  const [large, small] = Math.abs(sum.rounded) < Math.abs(amount) ? [amount, sum.rounded] : [sum.rounded, amount];
  sum.lost += large - rounded + small;
  sum.rounded = rounded;
}

/**
 * The sums of amounts in an org with several currencies, added up from the records themselves: Salesforce converts
 * each sum to the currency of the org, also where the query groups by currency (SOQL and SOSL Reference,
 * "convertCurrency()").
 */
export class SourceSums {
  /** The fields to read of each record. */
  readonly fields: readonly string[];
  readonly #currency: string | null;
  readonly #sums: ReadonlyMap<string, Map<string | null, Sum>>;

  /** `amounts`: the fields to add up, by the values of `currency`; null: of all records together. */
  constructor(amounts: readonly { source: string }[], currency: { source: string } | null) {
    this.#currency = currency?.source ?? null;
    this.#sums = new Map(amounts.map(({ source }) => [source, new Map()]));
    this.fields = [...this.#sums.keys(), ...(currency && amounts.length > 0 ? [currency.source] : [])];
  }

  add(records: readonly SourceRecord[]): void {
    for (const record of records) {
      const key = this.#currency === null ? null : String(record[this.#currency]);
      for (const [field, sums] of this.#sums) {
        const amount = record[field];
        if (amount === null || amount === undefined) continue;
        const sum = sums.get(key) ?? { rounded: 0, lost: 0 };
        addTo(sum, Number(amount));
        if (sums.size <= MAX_CURRENCIES) sums.set(key, sum);
      }
    }
  }

  /** Null: there are too many currencies. */
  totalsOf(field: string): Totals | null {
    const sums = [...(this.#sums.get(field) ?? [])];
    if (sums.length > MAX_CURRENCIES) return null;
    return new Map(sums.map(([key, { rounded, lost }]) => [key, Number((rounded + lost).toPrecision(EXACT_DIGITS))]));
  }
}
