import { isAddedField } from "@/components/records/fields/custom-field-label";
import type { AnyRecord, SomeFields } from "@/components/records/record";
import { isSalesforceId } from "@/lib/salesforce/ids";

/** The custom field with the name of the Salesforce owner, for a record that no member owns. */
export const OWNER_NAME = "Owner.Name";

const MACHINE_FIELDS = new Set(["HtmlBody", "MessageIdentifier", "ThreadIdentifier"]);

/**
 * Whether a value matters to Salesforce rather than to people: one of {@link isMachineValue}, or a flag of Salesforce
 * that is not set.
 */
export function isTechnical(item: AnyRecord, name: string): boolean {
  const value = item.custom_fields[name];
  return isMachineValue(name, value) || (value === false && !isAddedField(name) && isOfSalesforce(item, name));
}

/** How Salesforce names its own fields, also those of another object: "IsPersonAccount", "Task.IsClosed". */
const OWN_NAME = /^[A-Z][a-z][A-Za-z\d]*(\.[A-Z][a-z][A-Za-z\d]*)*$/;

/** Whether a custom field can have come with its record from Salesforce. Somebody here has added any other. */
export function isOfSalesforce({ ext_id: extId }: SomeFields, name: string): boolean {
  return typeof extId === "string" && (isAddedField(name) || OWN_NAME.test(name));
}

/** Whether nobody writes a value by hand: the id of a record in a field of Salesforce's own, a header of an e-mail. */
export function isMachineValue(name: string, value: unknown): boolean {
  if (isAddedField(name)) return false;
  if (MACHINE_FIELDS.has(name)) return true;
  return name.endsWith("Id") && typeof value === "string" && isSalesforceId(value);
}
