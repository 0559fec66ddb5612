import { hasPermission } from "@/lib/migration/report/risks/permissions";
import type { SalesforceClient } from "@/lib/salesforce/client";
import { describeObject, type FieldDescription } from "@/lib/salesforce/describe";
import { isObjectHidden } from "@/lib/salesforce/refusals";

/** How Salesforce describes “Text (Encrypted)”. */
const ENCRYPTED = "encryptedstring";

export function isEncrypted({ type }: Pick<FieldDescription, "type">): boolean {
  return type === ENCRYPTED;
}

/**
 * Whether Salesforce gives the user the values of encrypted fields. Who lacks “View Encrypted Data” gets their masks
 * (`***1234`), which no query tells from values.
 */
export async function canSeeEncrypted(client: SalesforceClient): Promise<boolean> {
  return (await hasPermission(client, "ViewEncryptedData")) === true;
}

/** The fields of an object of which the Salesforce user may see the values. */
export async function describeVisible(
  client: SalesforceClient,
  object: string,
  signal?: AbortSignal,
): Promise<FieldDescription[]> {
  const { fields } = await describeObject(client, object, signal);
  const isMasked = fields.some(isEncrypted) && !(await canSeeEncrypted(client));
  return isMasked ? fields.filter((field) => !isEncrypted(field)) : fields;
}

const described = new WeakMap<SalesforceClient, Map<string, Promise<FieldDescription[]>>>();

/**
 * The fields of an object from which records take something: described once per run. None if the Salesforce user may
 * not see the object. A query for a field that the user may not see would be refused as a whole.
 */
export function visibleFieldsOf(
  client: SalesforceClient,
  object: string,
  signal?: AbortSignal,
): Promise<FieldDescription[]> {
  const known = described.get(client) ?? new Map<string, Promise<FieldDescription[]>>();
  described.set(client, known);
  const asked =
    known.get(object) ??
    describeVisible(client, object, signal).catch((error: unknown) => {
      if (isObjectHidden(error)) return [];
      known.delete(object);
      throw error;
    });
  known.set(object, asked);
  return asked;
}
