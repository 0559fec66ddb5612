import { methods } from "@/app/api/v1/methods";
import { getProof, proveMigration } from "@/lib/migration/proof/prove-migration";

export const dynamic = "force-dynamic";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: { operation: getProof },
  POST: { operation: proveMigration },
});
