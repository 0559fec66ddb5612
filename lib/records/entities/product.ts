import { defineEntity } from "@/lib/records/schema/entity";
import {
  boolean,
  currency,
  defaulted,
  filterable,
  longText,
  money,
  required,
  text,
  unique,
} from "@/lib/records/schema/field";

/** Products are the catalog of the ERP, so a token with `erp:read` alone reads them too. */
export const product = defineEntity({
  resource: "products",
  label: "product",
  readScopes: ["crm:read", "erp:read"],
  search: ["name", "sku"],
  alphabet: ["name"],
  fields: {
    name: required(text()),
    sku: unique(text()),
    family: filterable(text()),
    unit_price: money(),
    currency: currency(),
    unit: text(),
    is_active: filterable(defaulted(boolean(), true)),
    description: longText(),
  },
});
