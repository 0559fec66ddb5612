import { methods } from "@/app/api/v1/methods";
import { listConflicts } from "@/lib/migration/conflicts/list-conflicts";

export const dynamic = "force-dynamic";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: { operation: listConflicts } });
