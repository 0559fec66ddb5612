import type { SourceContext } from "@/tests/service/support/expected/source-context";
import type { SourceRecord } from "@/tests/service/support/source-org";

/** Whom and what an activity is about. `kept`: what must stay in `custom_fields`, by API name. */
export interface Relations {
  columns: Record<"account_id" | "contact_id" | "case_id" | "opportunity_id" | "lead_id", string | null>;
  carried: string[];
  kept: Record<string, unknown>;
}

/** Key prefixes of what is migrated; leads, opportunities and others are not, so their ids are kept. */
const COLUMN: Record<string, "account_id" | "contact_id" | "case_id"> = {
  "001": "account_id",
  "003": "contact_id",
  "500": "case_id",
};

/**
 * WhoId and WhatId go where their key prefix says. AccountId, which Salesforce derives, names the account unless WhatId
 * names one that is there. An id that no column says is kept under the name of its field, once.
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
