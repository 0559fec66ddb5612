import { exact, likely, type SourceObject } from "@/lib/migration/objects/declaration";
import type { SourceRecord } from "@/lib/salesforce/query";

/** A price of the standard price book. */
export interface StandardPrice {
  price: number;
  /** null: the org has one currency. */
  currency: string | null;
}

/** The custom field with the prices of a product in several currencies. */
export const PRICES = "StandardPrices";

export const product: SourceObject = {
  name: "Product2",
  label: "product",
  resource: "products",
  fields: {
    Name: exact("name"),
    ProductCode: exact("sku", "If another product has this code, it is kept as a custom field only."),
    Family: exact("family"),
    IsActive: exact("is_active"),
    QuantityUnitOfMeasure: likely("unit", "The unit of measure."),
    CurrencyIsoCode: exact("currency"),
    Description: exact("description"),
  },
  fixed: {},
  placeholders: { name: "(no name)" },
  computed: { unit_price: [PRICES] },
  ignoredFields: [],
  ruleFields: ["CurrencyIsoCode"],
  refine(record, draft) {
    const prices = (record[PRICES] as StandardPrice[] | undefined) ?? [];
    const own = prices.find(({ currency }) => currency === (record.CurrencyIsoCode ?? null)) ?? prices[0];
    if (!own) return;
    const rounded = Number(own.price.toFixed(2));
    draft.columns.unit_price = rounded;
    // A price of another currency than the product's, or with more decimals, is told apart by these.
    if (prices.length > 1 || rounded !== own.price || own.currency !== (record.CurrencyIsoCode ?? null))
      draft.customFields[PRICES] = prices;
  },
};

/** Adds the prices of the standard price book to a product. */
export function setPrices(record: SourceRecord, prices: readonly StandardPrice[]): void {
  record[PRICES] = prices.toSorted((one, other) => ((one.currency ?? "") < (other.currency ?? "") ? -1 : 1));
}
