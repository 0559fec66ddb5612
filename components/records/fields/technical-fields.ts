import { isAddedField } from "@/components/records/fields/custom-field-label";
import { isSalesforceId } from "@/lib/salesforce/ids";

/** The custom field with the name of the Salesforce owner, for a record that no member owns. */
export const OWNER_NAME = "Owner.Name";

const MACHINE_FIELDS = new Set(["HtmlBody", "MessageIdentifier", "ThreadIdentifier"]);

/**
 * Whether a value matters to Salesforce rather than to people: one of {@link isMachineValue}, or a flag of Salesforce
 * that is not set.
 */
export function isTechnical(name: string, value: unknown): boolean {
  return isMachineValue(name, value) || (value === false && !isAddedField(name));
}

/** Whether nobody writes a value by hand: the id of a record in a field of Salesforce's own, a header of an e-mail. */
export function isMachineValue(name: string, value: unknown): boolean {
  if (isAddedField(name)) return false;
  if (MACHINE_FIELDS.has(name)) return true;
  return name.endsWith("Id") && typeof value === "string" && isSalesforceId(value);
}
