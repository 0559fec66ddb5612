import { methodsOfResource } from "@/app/api/v1/methods";
import { restoreOperation } from "@/lib/records/operations";

export const dynamic = "force-dynamic";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methodsOfResource((resource) => ({
  POST: { operation: restoreOperation(resource) },
}));
