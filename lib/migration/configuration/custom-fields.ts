/** The target that keeps a value under the source field's API name. */
export const CUSTOM_FIELDS = "custom_fields";

/** The prefix of a custom field in rules: `custom_fields.Tax_Id__c`. */
export const CUSTOM_PREFIX = `${CUSTOM_FIELDS}.`;
