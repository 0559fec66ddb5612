import { isEncrypted } from "@/lib/migration/pipeline/read/visible-fields";
import { answerWithin } from "@/lib/migration/report/answer-within";
import type { FieldReport } from "@/lib/migration/report/report-schema";
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

const NOTE = "The Salesforce user sees only masks of its values: a run imports them once the user sees them.";

/** Such a field in the report: its target stays the suggested one, for a run by a user who sees its values. */
export function asMasked(field: FieldReport): FieldReport {
  return { ...field, note: NOTE, fit: { type: null, length: null, sample: null, verdict: "left_out", reason: NOTE } };
}
