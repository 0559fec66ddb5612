import { methods } from "@/app/api/v1/methods";
import { decideConflicts } from "@/lib/migration/conflicts/decide-conflicts";

export const dynamic = "force-dynamic";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ POST: { operation: decideConflicts, body: true } });
