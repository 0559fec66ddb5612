import type { SalesforceClient } from "@/lib/salesforce/client";
import { describeObject, type FieldDescription } from "@/lib/salesforce/describe";
import { hasPermission } from "@/lib/salesforce/permissions";
import { isObjectHidden } from "@/lib/salesforce/refusals";

/** How Salesforce describes “Text (Encrypted)”. */
const ENCRYPTED = "encryptedstring";

export function isEncrypted({ type }: Pick<FieldDescription, "type">): boolean {
  return type === ENCRYPTED;
}

const seesEncrypted = new WeakMap<SalesforceClient, Promise<boolean>>();

/**
 * Whether Salesforce gives the user the values of encrypted fields: asked once per run. Who lacks “View Encrypted Data”
 * gets their masks (`***1234`), which no query tells from values. No answer is an error and not a no, for which a run
 * would leave the fields out.
 */
function canSeeEncrypted(client: SalesforceClient): Promise<boolean> {
  const asked =
    seesEncrypted.get(client) ??
    hasPermission(client, "ViewEncryptedData")
      .then((isPermitted) => isPermitted === true)
      .catch((error: unknown) => {
        seesEncrypted.delete(client);
        throw error;
      });
  seesEncrypted.set(client, asked);
  return asked;
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
