import { isAddedField } from "@/components/records/fields/custom-field-label";
import { isSalesforceId } from "@/lib/salesforce/ids";

/** The custom field with the name of the Salesforce owner, for a record that no member owns. */
export const OWNER_NAME = "Owner.Name";

const MACHINE_FIELDS = new Set(["HtmlBody", "MessageIdentifier", "ThreadIdentifier"]);

/**
 * Whether a value matters to Salesforce rather than to people: the id of another record in one of Salesforce's own
 * fields, a flag of Salesforce that is not set, a header of an e-mail.
 */
export function isTechnical(name: string, value: unknown): boolean {
  if (isAddedField(name)) return false;
  if (value === false || MACHINE_FIELDS.has(name)) return true;
  return name.endsWith("Id") && typeof value === "string" && isSalesforceId(value);
}
