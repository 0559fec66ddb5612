/** The target that keeps a value under the source field's own name. */
export const CUSTOM_FIELDS = "custom_fields";

/**
 * Where a source field goes: where the user chose, else to its suggested target. One that the user gave to another field is free no longer,
 * and the field is kept in `custom_fields`. Null: it is left out.
 */
export function targetOf(field: { source: string; target: string | null }, chosen: Readonly<Record<string, string | null>>): string | null {
  const own = Object.hasOwn(chosen, field.source) ? chosen[field.source] : undefined;
  if (own !== undefined) return own;
  // Many can have this one: nothing is taken from anybody.
  if (field.target === null || field.target === CUSTOM_FIELDS) return field.target;
  return Object.values(chosen).includes(field.target) ? CUSTOM_FIELDS : field.target;
}
