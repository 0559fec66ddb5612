const SUFFIX = "ABCDEFGHIJKLMNOPQRSTUVWXYZ012345";

export const SALESFORCE_ID = /^[0-9A-Za-z]{15}(?:[0-9A-Z]{3})?$/;

/** Whether `value` is written as a Salesforce id: 15 or 18 letters and digits. */
export function isSalesforceId(value: string): boolean {
  return SALESFORCE_ID.test(value);
}

/**
 * Whether `value` is the Id of a record as the APIs return it, with 18 characters. Records are known by it: stored
 * under the form of 15 characters as well, each would be here twice.
 */
export function isRecordId(value: unknown): value is string {
  return typeof value === "string" && value.length === 18 && isSalesforceId(value);
}

/**
 * Whether an id comes after another in the order of Salesforce: digits, capitals, small letters, as in ASCII. The last
 * three of 18 characters are a checksum.
 */
export function isAfter(id: string, other: string): boolean {
  return id.slice(0, 15) > other.slice(0, 15);
}

/** More of a wrong id than that is not repeated. */
const MAX_SHOWN = 40;

/** The sentence that refuses a text which is no Salesforce id. */
export function noSalesforceId(value: string): string {
  return `“${value.slice(0, MAX_SHOWN)}” is no Salesforce id: 15 or 18 letters and digits.`;
}

/**
 * The 18-character form of an id, which stays unique when case is ignored: each of the three suffix letters encodes
 * which of five characters are upper case. Returns an id of 18 characters unchanged. Throws on anything else.
 */
export function to18(id: string): string {
  if (!isSalesforceId(id)) throw new RangeError(`${JSON.stringify(id)} is not a Salesforce id.`);
  if (id.length === 18) return id;
  const suffix = [0, 5, 10].map((start) => {
    let bits = 0;
    for (let offset = 0; offset < 5; offset += 1) {
      const character = id[start + offset] ?? "";
      if (character >= "A" && character <= "Z") bits |= 1 << offset;
    }
    return SUFFIX[bits];
  });
  return id + suffix.join("");
}

/** Whether an id of 18 characters ends with its checksum, as each that Salesforce has given. It refuses others. */
export function hasChecksum(id: string): boolean {
  return isRecordId(id) && to18(id.slice(0, 15)) === id;
}
