import type { MigratedObjectName } from "@/lib/migration/objects/migrated-objects";
import type { Plan } from "@/lib/migration/pipeline/map/plan";
import type { ComparedField } from "@/lib/migration/proof/compare-values";
import type { ResourceName } from "@/lib/records/schema/resources";
import type { FieldDescription } from "@/lib/salesforce/describe";

/** A lookup field of the source, and the column that it becomes. */
export interface Relationship {
  field: string;
  column: string;
  parent: MigratedObjectName;
  parentResource: ResourceName;
  /** Another field of the source whose id a record keeps instead, if both name the same parent, and it is not here. */
  keptAs?: string;
}

function to(parent: "Account" | "Contact" | "Case" | "Opportunity", field: string, column: string): Relationship {
  const resources = { Account: "accounts", Contact: "contacts", Case: "cases", Opportunity: "opportunities" } as const;
  return { field, column, parent, parentResource: resources[parent] };
}

const ACTIVITY = [
  to("Contact", "WhoId", "contact_id"),
  { ...to("Account", "AccountId", "account_id"), keptAs: "WhatId" },
  to("Case", "WhatId", "case_id"),
];

/** The relationships that a migration preserves. */
const RELATIONSHIPS: Record<MigratedObjectName, readonly Relationship[]> = {
  Account: [to("Account", "ParentId", "parent_account_id")],
  Contact: [to("Account", "AccountId", "account_id"), to("Contact", "ReportsToId", "reports_to_id")],
  Case: [
    to("Account", "AccountId", "account_id"),
    to("Contact", "ContactId", "contact_id"),
    to("Case", "ParentId", "parent_case_id"),
  ],
  CaseComment: [to("Case", "ParentId", "case_id")],
  EmailMessage: [to("Case", "ParentId", "case_id")],
  FeedItem: [to("Case", "ParentId", "case_id")],
  FeedComment: [to("Case", "ParentId", "case_id")],
  Task: ACTIVITY,
  Event: ACTIVITY,
  Product2: [],
  Opportunity: [to("Account", "AccountId", "account_id"), to("Contact", "ContactId", "contact_id")],
  Lead: [
    to("Account", "ConvertedAccountId", "converted_account_id"),
    to("Contact", "ConvertedContactId", "converted_contact_id"),
    to("Opportunity", "ConvertedOpportunityId", "converted_opportunity_id"),
  ],
};

/** A field that only an org with several currencies has. */
const CURRENCY = "CurrencyIsoCode";

/** Bounds the aggregate queries of one object. */
const MAX_FIELDS_PER_KIND = 20;

/** Fields of one object that are compared. */
export interface Compared {
  relationships: readonly Relationship[];
  amounts: readonly ComparedField[];
  picklists: readonly ComparedField[];
  /** The field by which amounts are told apart; null: they are all of one currency, or the user leaves it out. */
  currency: ComparedField | null;
  /** Whether the org has several currencies, also if the user leaves their field out. */
  hasCurrencies: boolean;
}

/** The fields that are mapped, and that Salesforce adds up or groups by. */
export function comparedFields(
  { main, alternative, select, object }: Plan,
  described: readonly FieldDescription[],
): Compared {
  const mapped = new Map(main.fields.map((field) => [field.source, field]));
  const ofType = (type: string, can: "aggregatable" | "groupable") =>
    described
      .filter((field) => field.type === type && field[can])
      .flatMap(({ name }) => mapped.get(name) ?? [])
      .slice(0, MAX_FIELDS_PER_KIND);
  const isLinked = ({ field, column }: Relationship) =>
    select.includes(field) && (mapped.get(field)?.target ?? column) === column;
  return {
    relationships: RELATIONSHIPS[object.name].filter(isLinked),
    // Records of two shapes stand in two tables: their values are in the columns of neither.
    amounts: alternative ? [] : ofType("currency", "aggregatable"),
    picklists: alternative ? [] : ofType("picklist", "groupable"),
    currency: mapped.get(CURRENCY) ?? null,
    hasCurrencies: described.some(({ name }) => name === CURRENCY),
  };
}
