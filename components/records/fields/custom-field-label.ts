const CUSTOM = /__p?c$/;

/** Whether somebody added the field to the Salesforce org. It is not one of Salesforce's own then. */
export function isAddedField(name: string): boolean {
  return CUSTOM.test(name);
}

/**
 * A Salesforce field's API name in words, close to its probable label: `fleet__Severity_Score__c` is "Severity score",
 * `LastActivityDate` is "Last activity date", `Task.Outcome__c` is "Task: outcome". Abbreviations keep their capitals.
 */
export function customFieldLabel(name: string): string {
  const [first = name, ...rest] = name.split(".").filter(Boolean).map(inSentenceCase);
  const part = rest.join(" ");
  return part ? `${first}: ${part.replace(/^\S+/, uncapitalized)}` : first;
}

function inSentenceCase(name: string): string {
  const bare = name.replace(CUSTOM, "").replace(/^[A-Za-z0-9]+__(?=.)/, "");
  const parts = isAddedField(name) ? bare.split("_") : bare.replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2").split("_");
  const words = parts.filter(Boolean).map((word, index) => (index > 0 ? uncapitalized(word) : word));
  const text = words.join(" ");
  return text ? text.charAt(0).toUpperCase() + text.slice(1) : name;
}

/** Leaves "SLA" and "LinkedIn" as they are. */
function uncapitalized(word: string): string {
  return /^[A-Z][^A-Z]*$/.test(word) ? word.toLowerCase() : word;
}
