import { methodsOfResource } from "@/app/api/v1/methods";
import { batchOperation } from "@/lib/records/batch/batch-operation";

export const dynamic = "force-dynamic";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methodsOfResource((resource) => ({
  POST: { operation: batchOperation(resource), body: true },
}));
