import { exact, likely, type SourceObject } from "@/lib/migration/objects/declaration";
import { fieldsOfList, setList } from "@/lib/migration/objects/related-lists";
import type { SourceRecord } from "@/lib/salesforce/query";

/** A price of the standard price book. */
export interface StandardPrice {
  price: number;
  /** null: the org has one currency. */
  currency: string | null;
  /** False: nothing is sold at it. Missing where Salesforce does not tell. */
  is_active?: boolean;
  /** The id of the selling model that it is for: once, monthly and so on. Missing where the org has none. */
  product_selling_model_id?: string;
}

/** The custom field with the prices of a product, where the price alone does not say everything. */
const PRICES = "StandardPrices";

/** The custom fields of a product that come from its prices. */
export const CUSTOM_FIELDS_OF_PRICES = fieldsOfList(PRICES);

/** More prices than this are counted, not kept. */
const MAX_PRICES = 200;

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
    // A price of another currency would be read as one of the product's own.
    const own = prices.find(({ currency }) => currency === (record.CurrencyIsoCode ?? null));
    const unitPrice = own ? Number(own.price.toFixed(2)) : null;
    draft.columns.unit_price = unitPrice;
    if (!saysAll(unitPrice, prices)) setList(draft.customFields, PRICES, prices, MAX_PRICES);
  },
};

/** Whether the price of a product alone says everything of its prices. */
function saysAll(unitPrice: number | null, [only, ...others]: readonly StandardPrice[]): boolean {
  if (!only) return true;
  const { price, is_active: isActive, product_selling_model_id: model } = only;
  return others.length === 0 && price === unitPrice && isActive !== false && model === undefined;
}

/** Adds the prices of the standard price book to a product: of each currency the active ones first. */
export function setPrices(record: SourceRecord, prices: readonly StandardPrice[]): void {
  record[PRICES] = prices.toSorted((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1));
}

function orderOf({ currency, is_active: isActive, product_selling_model_id: model = "" }: StandardPrice): string {
  return `${currency ?? ""} ${isActive === false ? 1 : 0} ${model}`;
}
