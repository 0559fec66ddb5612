import { methods } from "@/app/api/v1/methods";
import { createOperation, listOperation } from "@/lib/records/operations";
import type { ResourceName } from "@/lib/records/schema/resources";

/**
 * The methods of a resource's collection. Each has a route file, which has nothing to check: lists are requested most
 * (docs/decisions/0024).
 */
export function collection(resource: ResourceName) {
  return methods({
    GET: { operation: listOperation(resource) },
    POST: { operation: createOperation(resource), body: true },
  });
}
