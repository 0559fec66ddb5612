/**
 * Schemas of the document whose objects have no other fields than they list. Clients ignore fields that they do not
 * know, so the document allows them; a field that an answer has and the document lacks is a fault all the same.
 */
export function strictly<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(strictly) as Value;
  const parts = Object.fromEntries(Object.entries(value).map(([key, each]) => [key, strictly(each)]));
  const isOpen = [parts.type].flat().includes("object") && parts.properties && parts.additionalProperties === undefined;
  return (isOpen ? { ...parts, additionalProperties: false } : parts) as Value;
}
