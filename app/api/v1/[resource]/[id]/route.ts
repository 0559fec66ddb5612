import { methodsOfResource } from "@/app/api/v1/methods";
import { deleteOperation, getOperation, updateOperation } from "@/lib/records/operations";

export const dynamic = "force-dynamic";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methodsOfResource((resource) => ({
  GET: { operation: getOperation(resource) },
  PATCH: { operation: updateOperation(resource), body: true },
  DELETE: { operation: deleteOperation(resource) },
}));
