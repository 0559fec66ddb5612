import { methodsOfResource } from "@/app/api/v1/methods";
import { exportOperation } from "@/lib/records/list/export-records";

export const dynamic = "force-dynamic";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methodsOfResource((resource) => ({
  GET: { operation: exportOperation(resource) },
}));
