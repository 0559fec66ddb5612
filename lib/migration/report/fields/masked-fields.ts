import type { TargetSuggestion } from "@/lib/migration/configuration/mapping-rules";
import { isEncrypted } from "@/lib/migration/pipeline/read/visible-fields";
import { answerWithin } from "@/lib/migration/report/answer-within";
import type { SalesforceClient } from "@/lib/salesforce/client";
import type { FieldDescription } from "@/lib/salesforce/describe";
import { hasPermission } from "@/lib/salesforce/permissions";

/** Whether Salesforce shows the user only masks of encrypted values, or does not say. */
export async function seesMasks(client: SalesforceClient): Promise<boolean> {
  return (await answerWithin((signal) => hasPermission(client, "ViewEncryptedData", signal))) !== true;
}

/** The fields of which the Salesforce user sees only masks, which a run does not read. */
export async function maskedAmong(
  client: SalesforceClient,
  fields: readonly FieldDescription[],
): Promise<ReadonlySet<FieldDescription>> {
  const encrypted = fields.filter(isEncrypted);
  return new Set(encrypted.length > 0 && (await seesMasks(client)) ? encrypted : []);
}

/** What a run makes of such a field. */
export const MASKED: TargetSuggestion = {
  target: null,
  confidence: "unmapped",
  note: "The Salesforce user sees only masks of its values, which are not imported.",
  mappable: false,
};
