import { methodsOfResource } from "@/app/api/v1/methods";
import { provenanceOperation } from "@/lib/records/provenance";

export const dynamic = "force-dynamic";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methodsOfResource((resource) => ({
  GET: { operation: provenanceOperation(resource) },
}));
