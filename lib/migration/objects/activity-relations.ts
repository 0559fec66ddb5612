import { type Draft, likely, type Mapping, textOf } from "@/lib/migration/objects/declaration";
import type { SourceRecord } from "@/lib/salesforce/query";

// The first three characters of an id name its object (Salesforce Object Reference, "Key prefixes").
const WHO: Record<string, string> = { "003": "contact_id", "00Q": "lead_id" };
const WHAT: Record<string, string> = { "001": "account_id", "500": "case_id", "006": "opportunity_id" };

const KEPT = "What it points at decides; what is not imported is kept as a custom field.";

export const RELATION_COLUMNS = ["account_id", "contact_id", "case_id", "opportunity_id", "lead_id"] as const;

export const RELATION_FIELDS: Record<string, Mapping> = {
  WhoId: likely("contact_id", `Contact or lead. ${KEPT}`),
  WhatId: likely("account_id", `Account, case or opportunity. ${KEPT}`),
  AccountId: likely("account_id", "The account of the contact or case, where the activity names none itself, or one that is not imported."),
};

/**
 * Points a draft at the record that `field` names by its key prefix; other objects' ids are kept in `custom_fields`, and so is the id of a second record for
 * the same column, which takes the place of the first where that is not there.
 */
function relate(record: SourceRecord, draft: Draft, field: string, columns: Record<string, string>): void {
  const extId = textOf(record, field);
  if (!extId) return;
  const column = columns[extId.slice(0, 3)];
  const taken = column === undefined ? undefined : draft.references[column];
  if (column && !taken) draft.references[column] = { extId, from: field };
  else if (taken?.extId !== extId) draft.customFields[field] = extId;
  if (taken && taken.extId !== extId) taken.otherwise ??= { extId, from: field };
}

/** Whom and what an activity is about: WhoId, WhatId (or an e-mail's RelatedToId), and the account that Salesforce derives from them. */
export function relateActivity(record: SourceRecord, draft: Draft): void {
  relate(record, draft, "WhoId", WHO);
  relate(record, draft, "WhatId", WHAT);
  relate(record, draft, "RelatedToId", WHAT);
  relate(record, draft, "AccountId", { "001": "account_id" });
}
