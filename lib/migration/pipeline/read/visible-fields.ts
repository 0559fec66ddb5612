import type { SalesforceClient } from "@/lib/salesforce/client";
import { describeObject, type FieldDescription } from "@/lib/salesforce/describe";
import { isObjectHidden } from "@/lib/salesforce/refusals";

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
    describeObject(client, object, signal).then(
      ({ fields }) => fields,
      (error: unknown) => {
        if (isObjectHidden(error)) return [];
        known.delete(object);
        throw error;
      },
    );
  known.set(object, asked);
  return asked;
}
