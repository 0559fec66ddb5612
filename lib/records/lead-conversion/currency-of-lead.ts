import type { PoolClient } from "pg";

import type { Context } from "@/lib/context";
import type { Values } from "@/lib/records/schema/write-input";

/** The currency of a lead's amounts, if an import kept one: without it, they would be read as the organization's. */
export function ownCurrency({ annual_revenue, custom_fields }: Values): Values {
  const { CurrencyIsoCode: imported } = (custom_fields ?? {}) as Values;
  const isKnown = annual_revenue !== null && typeof imported === "string" && /^[A-Z]{3}$/.test(imported);
  return isKnown ? { currency: imported } : {};
}

/** A lead has no currency but what an import kept of it; without that, its amounts are in the organization's. */
export async function currencyOfLead({
  client,
  context,
  lead,
}: {
  client: PoolClient;
  context: Context;
  lead: Values;
}): Promise<unknown> {
  const { CurrencyIsoCode: imported } = (lead.custom_fields ?? {}) as Values;
  if (imported !== undefined) return imported;
  const text = "SELECT currency FROM organizations WHERE id = $1";
  return (await client.query<{ currency: string | null }>(text, [context.organizationId])).rows[0]?.currency;
}
