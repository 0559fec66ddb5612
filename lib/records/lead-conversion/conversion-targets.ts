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

/** A lead on its way into other records. */
export interface Conversion {
  client: PoolClient;
  context: Context;
  lead: Values;
  /** `owner_id` of what is made; nothing where whoever converts is to own it. */
  owner: { owner_id?: unknown };
}

/** A record that a lead became, or a part of. */
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

interface AskedAccount {
  account_id?: string;
  account_name?: unknown;
}

/**
 * The account that is asked for, else that of the contact that is asked for, else a new one. Throws `invalid_request`
 * where none can be told.
 */
export async function resolveAccount(
  conversion: Conversion,
  asked: AskedAccount,
  person: LockedRecord | undefined,
): Promise<ConvertedRecord> {
  const wanted = existingAccount(asked, (person?.values.account_id ?? undefined) as string | undefined);
  if (wanted !== undefined) return fillBlanks(conversion, account, wanted, accountValues(conversion.lead, ""));
  const name = asked.account_name ?? conversion.lead.company;
  if (typeof name !== "string")
    throw invalid("account_name", "The lead names no company. Give `account_name`, or the `account_id` of an account.");
  return make(conversion, account, accountValues(conversion.lead, name));
}

function existingAccount(
  { account_id, account_name }: AskedAccount,
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

/** The contact that is asked for, which the caller has locked, else a new one; it belongs to the account. */
export function resolveContact(
  conversion: Conversion,
  accountId: string,
  person: LockedRecord | undefined,
): Promise<ConvertedRecord> {
  const values = contactValues(conversion.lead, accountId);
  return person ? fillBlanks(conversion, contact, person.id, values) : make(conversion, contact, values);
}

async function make({ client, context, owner }: Conversion, entity: Entity, values: Values): Promise<ConvertedRecord> {
  const [made] = await createRecords(client, entity, context, [{ ...owner, ...values }]);
  if (!made) throw new Error(`The ${entity.label} was not stored.`);
  return { id: made.id, created: true };
}

async function fillBlanks(
  { client, context }: Conversion,
  entity: Entity,
  id: string,
  values: Values,
): Promise<ConvertedRecord> {
  const [before] = await lockRecords(client, entity, context.organizationId, [id]);
  if (!before) throw new Error(`The ${entity.label} was held, and is gone.`);
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
 * What an account takes over of a lead that is converted into it (Salesforce, "Lead Conversion Field Mapping"); only
 * what the lead says.
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

/** What an opportunity takes over, beside what is asked of it. */
export function opportunityValues(
  lead: Values,
  ids: { account_id: string; contact_id: string },
  asked: Values,
): Values {
  return onlyGiven({ ...ids, lead_source: lead.source, ...asked });
}

/**
 * Of those values, the ones that an existing record says nothing of: a conversion fills blanks and overwrites nothing.
 */
function missingValues(record: Values, values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => record[name] === null));
}

function onlyGiven(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== undefined));
}
