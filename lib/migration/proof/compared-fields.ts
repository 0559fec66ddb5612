import type { MigratedObjectName } from "@/lib/migration/objects/migrated-objects";
import type { ImportedResource } from "@/lib/migration/objects/declaration";

/** A lookup field of the source, and the column that it becomes. */
export interface Relationship {
  field: string;
  column: string;
  parent: MigratedObjectName;
  parentResource: ImportedResource;
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
export const RELATIONSHIPS: Record<MigratedObjectName, readonly Relationship[]> = {
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
