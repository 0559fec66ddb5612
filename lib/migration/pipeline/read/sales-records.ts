import type { SourceObjectName } from "@/lib/migration/objects/source-object-names";
import { setLines, setPrimaryContact } from "@/lib/migration/objects/opportunity";
import { setPrices, type StandardPrice } from "@/lib/migration/objects/product";
import { readByIds } from "@/lib/migration/pipeline/read/read-by-ids";
import { visibleFieldsOf } from "@/lib/migration/pipeline/read/visible-fields";
import type { SalesforceClient } from "@/lib/salesforce/client";
import type { FieldDescription } from "@/lib/salesforce/describe";
import type { SourceRecord } from "@/lib/salesforce/query";

const LINE = "OpportunityLineItem";
const PRICE = "PricebookEntry";

/** What is told of a price. Not every org has several currencies, or selling models. */
const PRICE_FIELDS = new Set(["UnitPrice", "CurrencyIsoCode", "IsActive", "ProductSellingModelId"]);

/** What is told of a line, besides its custom fields. */
const LINE_FIELDS = new Set([
  "Product2Id",
  "Name",
  "ProductCode",
  "Quantity",
  "UnitPrice",
  "ListPrice",
  "TotalPrice",
  "Discount",
  "CurrencyIsoCode",
  "ServiceDate",
  "Description",
  "SortOrder",
]);

/** Types of custom fields that no query returns, or that only repeat other fields. */
const UNREAD_TYPES = new Set(["base64", "address", "location"]);

/**
 * Adds to opportunities and products what Salesforce keeps in other objects: primary contacts, lines and prices. One
 * query of each per 400 records that need it. What the Salesforce user may not see is not added.
 */
export async function attachSales(
  client: SalesforceClient,
  object: SourceObjectName,
  records: readonly SourceRecord[],
): Promise<void> {
  if (object === "Opportunity") {
    await attachContacts(client, records);
    await attachLines(client, records);
  }
  if (object === "Product2") await attachPrices(client, records);
}

/** `ContactId` names the primary contact, unless it cannot be seen (Object Reference, Opportunity; API 46 or newer). */
async function attachContacts(client: SalesforceClient, records: readonly SourceRecord[]): Promise<void> {
  const byId = new Map(records.filter(({ ContactId }) => !ContactId).map((record) => [String(record.Id), record]));
  const read = { from: "OpportunityContactRole", key: "OpportunityId", fields: ["ContactId"] };
  for (const role of await readByIds(client, { ...read, where: ["IsPrimary = true"] }, [...byId.keys()])) {
    const record = byId.get(String(role.OpportunityId));
    if (record && typeof role.ContactId === "string") setPrimaryContact(record, role.ContactId);
  }
}

async function attachLines(client: SalesforceClient, records: readonly SourceRecord[]): Promise<void> {
  const byId = new Map(
    records.filter(({ HasOpportunityLineItem: has }) => has !== false).map((record) => [String(record.Id), record]),
  );
  if (byId.size === 0) return;
  const fields = await lineFieldsOf(client);
  if (fields.length === 0) return;
  const lines = await readByIds(client, { from: LINE, key: "OpportunityId", fields }, [...byId.keys()]);
  for (const [id, own] of Map.groupBy(lines, ({ OpportunityId }) => String(OpportunityId))) {
    const record = byId.get(id);
    if (record) setLines(record, own);
  }
}

/** The fields to read of lines. None if the Salesforce user may not see lines. */
export async function lineFieldsOf(client: SalesforceClient): Promise<string[]> {
  return (await visibleFieldsOf(client, LINE)).filter(isToldOfLine).map(({ name }) => name);
}

function isToldOfLine({ name, custom, type }: FieldDescription): boolean {
  return LINE_FIELDS.has(name) || (custom && !UNREAD_TYPES.has(type));
}

/** The fields to read of prices. None if the Salesforce user may not see prices. */
export async function priceFieldsOf(client: SalesforceClient): Promise<string[]> {
  const visible = (await visibleFieldsOf(client, PRICE)).map(({ name }) => name);
  return visible.includes("UnitPrice") ? visible.filter((name) => PRICE_FIELDS.has(name)) : [];
}

/** A product has one price of the standard price book in each currency, and for each of its selling models. */
async function attachPrices(client: SalesforceClient, records: readonly SourceRecord[]): Promise<void> {
  const byId = new Map(records.map((record) => [String(record.Id), record]));
  const fields = await priceFieldsOf(client);
  if (fields.length === 0) return;
  const read = { from: PRICE, key: "Product2Id", fields };
  const prices = await readByIds(client, { ...read, where: ["Pricebook2.IsStandard = true"] }, [...byId.keys()]);
  for (const [id, own] of Map.groupBy(prices, ({ Product2Id }) => String(Product2Id))) {
    const record = byId.get(id);
    const known = own.flatMap(priceOf);
    if (record && known.length > 0) setPrices(record, known);
  }
}

function priceOf({
  UnitPrice: price,
  CurrencyIsoCode: currency,
  IsActive: isActive,
  ProductSellingModelId: model,
}: SourceRecord): StandardPrice[] {
  if (typeof price !== "number") return [];
  return [
    {
      price,
      currency: typeof currency === "string" ? currency : null,
      ...(typeof isActive === "boolean" && { is_active: isActive }),
      ...(typeof model === "string" && { product_selling_model_id: model }),
    },
  ];
}
