/** The five parts of an address. Latitude, longitude and accuracy have no columns and are kept. */
export function address(prefix: string, column: string): Record<string, string> {
  return {
    [`${column}_street`]: `${prefix}Street`,
    [`${column}_city`]: `${prefix}City`,
    [`${column}_state`]: `${prefix}State`,
    [`${column}_postal_code`]: `${prefix}PostalCode`,
    [`${column}_country`]: `${prefix}Country`,
  };
}
