import { defineEntity } from "@/lib/records/entity";
import { boolean, currency, defaulted, longText, money, required, text } from "@/lib/records/field";

/** Products are the catalogue of the ERP, so a token with `erp:read` alone reads them too. */
export const product = defineEntity({
  resource: "products",
  label: "product",
  readScopes: ["crm:read", "erp:read"],
  fields: {
    name: required(text()),
    sku: text(),
    family: text(),
    unit_price: money(),
    currency: currency(),
    unit: text(),
    is_active: defaulted(boolean(), true),
    description: longText(),
  },
});
