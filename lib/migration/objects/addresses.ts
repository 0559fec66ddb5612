import { exact, type Mapping } from "@/lib/migration/objects/declaration";

/** The five parts of an address: `BillingStreet` → `billing_street` and so on. Latitude and longitude stay in `custom_fields`. */
export function address(source: string, target: string): Record<string, Mapping> {
  return {
    [`${source}Street`]: exact(`${target}_street`),
    [`${source}City`]: exact(`${target}_city`),
    [`${source}State`]: exact(`${target}_state`),
    [`${source}PostalCode`]: exact(`${target}_postal_code`),
    [`${source}Country`]: exact(`${target}_country`),
  };
}
