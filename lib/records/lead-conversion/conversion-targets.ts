import type { PoolClient } from "pg";

import type { Context } from "@/lib/context";
import { AppError } from "@/lib/errors";
import { account } from "@/lib/records/entities/account";
import { contact } from "@/lib/records/entities/contact";
import type { Entity } from "@/lib/records/schema/entity";
import type { Values } from "@/lib/records/schema/write-input";
import { createRecords } from "@/lib/records/write/create-record";
import { type LockedRecord, lockRecords } from "@/lib/records/write/lock-records";
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
  if (accountId !== undefined) return fillBlanks(conversion, account, accountId, accountValues(conversion.lead, ""));
  const name = requested.account_name ?? conversion.lead.company;
  if (typeof name !== "string")
    throw invalid("account_name", "The lead names no company. Give `account_name`, or the `account_id` of an account.");
  return create(conversion, account, accountValues(conversion.lead, name));
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
  return existing ? fillBlanks(conversion, contact, existing.id, values) : create(conversion, contact, values);
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
  id: string,
  values: Values,
): Promise<ConvertedRecord> {
  const [before] = await lockRecords(client, entity, context.organizationId, [id]);
  if (!before) throw new Error(`The ${entity.label} was locked, and no longer exists.`);
  await changeRecords(client, entity, context, [{ before, given: missingValues(before.values, values) }]);
  return { id, created: false };
}

function invalid(field: string, detail: string): AppError {
  return new AppError("invalid_request", detail, { errors: [{ pointer: `/${field}`, code: "invalid_value", detail }] });
}

const ADDRESS = ["street", "city", "state", "postal_code", "country"] as const;

function addressAs(prefix: string, lead: Values): Values {
  return Object.fromEntries(ADDRESS.map((part) => [`${prefix}_${part}`, lead[`address_${part}`]]));
}

/**
 * What an account takes over from a lead (Salesforce, "Lead Conversion Field Mapping"); only fields that the lead has.
 */
function accountValues(lead: Values, name: string): Values {
  const { phone, website, industry, rating, annual_revenue, number_of_employees } = lead;
  return onlyGiven({
    name,
    phone,
    website,
    industry,
    rating,
    annual_revenue,
    number_of_employees,
    ...addressAs("billing", lead),
  });
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
