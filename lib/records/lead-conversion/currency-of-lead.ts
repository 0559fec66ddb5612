import type { PoolClient } from "pg";

import type { Context } from "@/lib/context";
import type { Values } from "@/lib/records/schema/write-input";

interface Converted {
  client: PoolClient;
  context: Context;
  lead: Values;
}

/** A lead has no currency but what an import kept of it; without that, its amounts are in the organization's. */
export async function currencyOfLead({ client, context, lead }: Converted): Promise<unknown> {
  const imported = importedCurrency(lead);
  if (imported !== undefined) return imported;
  const text = "SELECT currency FROM organizations WHERE id = $1";
  return (await client.query<{ currency: string | null }>(text, [context.organizationId])).rows[0]?.currency;
}

/** The field for the imported currency of a lead's revenue: without it, that would be read as the organization's. */
export function ownCurrency(lead: Values): Values {
  const imported = importedCurrency(lead);
  const isKnown = lead.annual_revenue !== null && typeof imported === "string" && /^[A-Z]{3}$/.test(imported);
  return isKnown ? { currency: imported } : {};
}

function importedCurrency({ custom_fields }: Values): unknown {
  return ((custom_fields ?? {}) as Values).CurrencyIsoCode;
}
