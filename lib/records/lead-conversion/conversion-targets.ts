import type { PoolClient } from "pg";

import type { Context } from "@/lib/context";
import { AppError } from "@/lib/errors";
import { account } from "@/lib/records/entities/account";
import { contact } from "@/lib/records/entities/contact";
import { currencyOfLead, ownCurrency } from "@/lib/records/lead-conversion/currency-of-lead";
import type { Entity } from "@/lib/records/schema/entity";
import type { Values } from "@/lib/records/schema/write-input";
import { createRecords } from "@/lib/records/write/create-record";
import { type LockedRecord, lockRecord } from "@/lib/records/write/lock-records";
import { changeRecords } from "@/lib/records/write/update-record";

/** The conversion of a lead. */
export interface Conversion {
  client: PoolClient;
  context: Context;
  lead: Values;
  /** `owner_id` of new records; empty where the caller is to own them. */
  owner: { owner_id?: unknown };
}

/** A record that a lead became. */
export interface ConvertedRecord {
  id: string;
  created: boolean;
}

/** What a lead became. */
export interface ConversionResult {
  account: ConvertedRecord;
  contact: ConvertedRecord;
  opportunity: ConvertedRecord | null;
}

interface RequestedAccount {
  account_id?: string;
  account_name?: unknown;
}

/**
 * The requested account, else that of the requested contact, else a new one. Throws `invalid_request` where none can be
 * determined.
 */
export async function resolveAccount(
  conversion: Conversion,
  requested: RequestedAccount,
  existing: LockedRecord | undefined,
): Promise<ConvertedRecord> {
  const accountId = existingAccount(requested, (existing?.values.account_id ?? undefined) as string | undefined);
  if (accountId !== undefined) return fillAccount(conversion, accountId);
  const name = requested.account_name ?? conversion.lead.company;
  if (typeof name !== "string")
    throw invalid("account_name", "The lead names no company. Give `account_name`, or the `account_id` of an account.");
  return create(conversion, account, { ...accountValues(conversion.lead, name), ...ownCurrency(conversion.lead) });
}

/** Fills an existing account; but an amount in another currency would be read as one in the account's. */
async function fillAccount(conversion: Conversion, id: string): Promise<ConvertedRecord> {
  const { client, context, lead } = conversion;
  const before = await lockRecord(client, account, { organizationId: context.organizationId }, id);
  const { currency, annual_revenue: revenue } = before.values;
  const isOther = currency !== null && currency !== (await currencyOfLead(conversion));
  const values = accountValues(isOther ? { ...lead, annual_revenue: null } : lead, "");
  return fillBlanks(conversion, account, before, { ...values, ...(revenue === null && ownCurrency(lead)) });
}

function existingAccount(
  { account_id, account_name }: RequestedAccount,
  ofContact: string | undefined,
): string | undefined {
  if (account_id !== undefined && account_name !== undefined)
    throw invalid("account_name", "Give `account_id` or `account_name`, not both.");
  if (ofContact === undefined) return account_id;
  if (account_name === undefined && (account_id ?? ofContact) === ofContact) return ofContact;
  throw invalid(
    "contact_id",
    `This contact belongs to the account ${ofContact}. Leave \`account_id\` and \`account_name\` out.`,
  );
}

/** The requested contact, which the caller has locked, else a new one; it belongs to the account. */
export function resolveContact(
  conversion: Conversion,
  accountId: string,
  existing: LockedRecord | undefined,
): Promise<ConvertedRecord> {
  const values = contactValues(conversion.lead, accountId);
  return existing ? fillBlanks(conversion, contact, existing, values) : create(conversion, contact, values);
}

async function create(
  { client, context, owner }: Conversion,
  entity: Entity,
  values: Values,
): Promise<ConvertedRecord> {
  const [stored] = await createRecords(client, entity, context, [{ ...owner, ...values }]);
  if (!stored) throw new Error(`The ${entity.label} was not stored.`);
  return { id: stored.id, created: true };
}

async function fillBlanks(
  { client, context }: Conversion,
  entity: Entity,
  before: LockedRecord,
  values: Values,
): Promise<ConvertedRecord> {
  await changeRecords(client, entity, context, [{ before, given: missingValues(before.values, values) }]);
  return { id: before.id, created: false };
}

function invalid(field: string, detail: string): AppError {
  return new AppError("invalid_request", detail, { errors: [{ pointer: `/${field}`, code: "invalid_value", detail }] });
}

const ADDRESS = ["street", "city", "state", "postal_code", "country"] as const;

function addressAs(prefix: string, lead: Values): Values {
  return Object.fromEntries(ADDRESS.map((part) => [`${prefix}_${part}`, lead[`address_${part}`]]));
}

/** What an account takes over (Salesforce, "Lead Conversion Field Mapping"); only fields that the lead has. */
function accountValues(lead: Values, name: string): Values {
  const { phone, website, industry, rating, annual_revenue, number_of_employees } = lead;
  const company = { name, phone, website, industry, rating, annual_revenue, number_of_employees };
  return onlyGiven({ ...company, ...addressAs("billing", lead) });
}

/** What a contact takes over. */
function contactValues(lead: Values, accountId: string): Values {
  const { first_name, last_name, title, email, phone, mobile_phone, description, source: lead_source } = lead;
  const person = { first_name, last_name, title, email, phone, mobile_phone, description, lead_source };
  return onlyGiven({ account_id: accountId, ...person, ...addressAs("mailing", lead) });
}

/** What an opportunity takes over, beside what is requested. */
export function opportunityValues(
  lead: Values,
  ids: { account_id: string; contact_id: string },
  requested: Values,
): Values {
  return onlyGiven({ ...ids, lead_source: lead.source, ...requested });
}

/** The values for fields that an existing record has empty: a conversion fills blanks and overwrites nothing. */
function missingValues(record: Values, values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => record[name] === null));
}

function onlyGiven(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== undefined));
}
