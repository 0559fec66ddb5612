import { isImported } from "@/lib/migration/objects/imported-objects";
import { objectName, type SourceObjectName } from "@/lib/migration/objects/source-object-names";
import { answerWithin } from "@/lib/migration/report/answer-within";
import type { RiskCheck } from "@/lib/migration/report/facts";
import { query, select } from "@/lib/salesforce/query";

/** The objects in which Salesforce keeps former values of fields (Object Reference, "StandardObjectNameHistory"). */
const HISTORIES: Partial<Record<string, string>> = {
  Account: "AccountHistory",
  Contact: "ContactHistory",
  Case: "CaseHistory",
  Product2: "Product2History",
  Opportunity: "OpportunityFieldHistory",
  Lead: "LeadHistory",
};

/** Who changed which fields of the migrated records, where the org tracks it. */
export const fieldHistory: RiskCheck = async ({ client, survey }) => {
  const found: { object: SourceObjectName; history: string }[] = [];
  for (const { name, readable } of survey.objects) {
    const history = HISTORIES[name];
    if (history === undefined || !readable || !isImported(name)) continue;
    const soql = select({ fields: ["Id"], from: history, limit: 1 });
    const page = await answerWithin((signal) => query(client, soql, { signal }));
    if (page && page.records.length > 0) found.push({ object: name, history });
  }
  if (found.length === 0) return [];
  const names = found.map(({ object }) => objectName(object));
  return [
    {
      severity: "info",
      code: "field_history",
      object: null,
      count: null,
      title: `The field history of ${new Intl.ListFormat("en").format(names)} stays in Salesforce`,
      detail:
        "Records are migrated as they are now. Who changed which fields, and what they had before, stands in " +
        `${found.map(({ history }) => history).join(", ")}, which a migration does not read.`,
      recommended_action:
        "If you need it, export it before you give up Salesforce, for example with the Data Loader of Salesforce.",
    },
  ];
};
