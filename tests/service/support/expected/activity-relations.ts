import type { SourceContext } from "@/tests/service/support/expected/source-context";
import type { SourceRecord } from "@/tests/service/support/source-org";

/** What an activity is related to. `kept`: values expected in `custom_fields`, by API name. */
export interface Relations {
  columns: Record<"account_id" | "contact_id" | "case_id" | "opportunity_id" | "lead_id", string | null>;
  carried: string[];
  kept: Record<string, unknown>;
}

/** Key prefixes of migrated objects. Leads, opportunities and others are not migrated, so their ids are kept. */
const COLUMN: Record<string, "account_id" | "contact_id" | "case_id"> = {
  "001": "account_id",
  "003": "contact_id",
  "500": "case_id",
};

/**
 * The key prefix decides the columns of WhoId and WhatId. AccountId, which Salesforce derives, is the account unless
 * WhatId is an existing account. An id without a column is kept once, under the name of its field.
 */
export function relate(source: SourceRecord, context: SourceContext, names: Record<string, string> = {}): Relations {
  const relations: Relations = {
    columns: { account_id: null, contact_id: null, case_id: null, opportunity_id: null, lead_id: null },
    carried: [],
    kept: {},
  };
  const taken = new Set<string>();
  const said = new Set<string>();
  for (const field of ["WhoId", "WhatId", "AccountId"]) {
    const id = source[field];
    if (typeof id !== "string") continue;
    const name = names[field] ?? field;
    const column = COLUMN[id.slice(0, 3)];
    if (said.has(id)) relations.carried.push(name);
    else if (column && context.linkable.has(id) && !taken.has(column)) {
      relations.columns[column] = id;
      relations.carried.push(name);
      taken.add(column);
    } else relations.kept[name] = id;
    said.add(id);
  }
  return relations;
}
