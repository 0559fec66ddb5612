const SUFFIX = "ABCDEFGHIJKLMNOPQRSTUVWXYZ012345";

/** Whether `value` is written as a Salesforce id: 15 or 18 letters and digits. */
export function isSalesforceId(value: string): boolean {
  return /^[0-9A-Za-z]{15}(?:[0-9A-Z]{3})?$/.test(value);
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
