import { formatCount } from "@/lib/amounts";
import { IMPORT_ORDER, objectName } from "@/lib/migration/objects/source-object-names";
import { isEncrypted } from "@/lib/migration/pipeline/read/visible-fields";
import type { RiskCheck } from "@/lib/migration/report/facts";
import { seesMasks } from "@/lib/migration/report/fields/masked-fields";
import { givePermission } from "@/lib/migration/report/risks/permissions";

/** Encrypted fields of which Salesforce shows the user only masks: a run does not read them. */
export const maskedFields: RiskCheck = async ({ client, mappings }) => {
  const encrypted = IMPORT_ORDER.flatMap((object) => {
    const names = mappings[object]?.fields.filter(isEncrypted).map(({ source }) => source) ?? [];
    return names.length > 0 ? [{ object, names }] : [];
  });
  if (encrypted.length === 0 || !(await seesMasks(client))) return [];
  return encrypted.map(({ object, names }) => ({
    severity: "warning",
    code: "encrypted_fields_masked",
    object,
    count: null,
    title:
      `${objectName(object)}: the Salesforce user sees only masks in ` +
      formatCount(names.length, "encrypted field", "encrypted fields"),
    detail:
      `The user lacks “View Encrypted Data”, so Salesforce shows only masks of ${names.join(", ")}. Masks are not ` +
      "imported: the values would stay in Salesforce.",
    recommended_action: `${givePermission("ViewEncryptedData")} before the migration runs, or run it again then.`,
  }));
};
