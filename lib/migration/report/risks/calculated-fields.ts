import { formatCount } from "@/lib/amounts";
import { IMPORT_ORDER, objectName } from "@/lib/migration/objects/source-object-names";
import type { RiskCheck } from "@/lib/migration/report/facts";

/** How many fields of an object are named. */
const MAX_NAMED = 5;

/** Formulas and roll-up summaries: nothing here calculates them anew. */
export const calculatedFields: RiskCheck = ({ mappings }) => {
  const found = IMPORT_ORDER.flatMap((object) => {
    const fields = mappings[object]?.fields.filter(({ calculated, target }) => calculated && target !== null) ?? [];
    return fields.length > 0 ? [{ object, names: fields.map(({ source }) => source) }] : [];
  });
  const fields = found.reduce((sum, { names }) => sum + names.length, 0);
  if (fields === 0) return [];
  const named = found.map(({ object, names }) => {
    const more = names.length > MAX_NAMED ? ", …" : "";
    return `${objectName(object)} (${names.slice(0, MAX_NAMED).join(", ")}${more})`;
  });
  return [
    {
      severity: "info",
      code: "calculated_fields",
      object: null,
      count: null,
      title: `${formatCount(fields, "field is", "fields are")} calculated by Salesforce`,
      detail:
        `Formulas and roll-up summaries of ${named.join("; ")}: their values come along as they are at the run, and ` +
        "are not calculated here. Salesforce does not stamp a record whose formulas have changed, so a delta brings " +
        "new values only of records that were changed otherwise.",
      recommended_action: "Nothing, if the values may stand still. For the latest ones run the migration in full.",
    },
  ];
};
