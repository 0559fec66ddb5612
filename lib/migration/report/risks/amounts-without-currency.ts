import { pool } from "@/lib/database/db";
import { objectName, type SourceObjectName } from "@/lib/migration/objects/source-object-names";
import { type RiskCheck, type ReportFacts, canSeeField } from "@/lib/migration/report/facts";

type Facts = Pick<ReportFacts, "survey" | "mappings">;

/** The objects whose amounts are stored with a currency, each with the field of the amount if it has one itself. */
const AMOUNTS: Partial<Record<SourceObjectName, string | null>> = {
  Account: "AnnualRevenue",
  Product2: null,
  Opportunity: "Amount",
};

/** Selects the records of an object that have an amount. */
export function amountIn(object: SourceObjectName): string[] {
  const field = AMOUNTS[object];
  return field ? [`${field} != null`] : [];
}

/** The objects that are migrated with amounts, and whose records name no currency. */
export function withoutCurrency(facts: Facts): SourceObjectName[] {
  return (Object.keys(AMOUNTS) as SourceObjectName[]).filter(
    (object) =>
      facts.mappings[object] !== undefined &&
      !canSeeField(facts, object, "CurrencyIsoCode") &&
      hasAmounts(facts, object),
  );
}

function hasAmounts({ survey, mappings }: Facts, object: SourceObjectName): boolean {
  const field = AMOUNTS[object];
  if (!field) return survey.objects.some(({ name, count }) => name === object && count !== 0);
  const found = mappings[object]?.fields.find(({ source }) => source === field);
  return found !== undefined && found.fill?.filled !== 0;
}

/**
 * An org with one currency names it in no record: CurrencyIsoCode exists with several only (Object Reference,
 * Opportunity, "CurrencyIsoCode"), and no query gives that of the org.
 */
export const amountsWithoutCurrency: RiskCheck = async (facts) => {
  const objects = withoutCurrency(facts);
  if (objects.length === 0) return [];
  const names = new Intl.ListFormat("en").format(objects.map(objectName));
  return [
    {
      severity: "info",
      code: "amounts_without_currency",
      object: null,
      count: null,
      title: amountsTitle(objects, names),
      detail:
        `Salesforce names the currency of a record only in an org with several. ${names} get none here, and their ` +
        `amounts are shown and added up as bare numbers. ${await besides(facts.organizationId)}`,
      recommended_action:
        "If their amounts are to have a currency, have a formula field of type Text with its code, such as “USD”, " +
        "added to each of these objects in Salesforce, analyze again, and map it to the currency in the next step. " +
        "This finding stays, as it is about what Salesforce names by itself.",
    },
  ];
};

/** Whether products have prices, nobody has counted. */
export function amountsTitle(objects: readonly SourceObjectName[], names: string): string {
  return `Amounts of ${names} ${objects.includes("Product2") ? "may come" : "come"} without a currency`;
}

async function besides(organizationId: string): Promise<string> {
  const { rows } = await pool().query<{ currency: string | null }>("SELECT currency FROM organizations WHERE id = $1", [
    organizationId,
  ]);
  const currency = rows[0]?.currency;
  return currency ? `New records begin with ${currency}, so sums will show the two apart.` : "";
}
