import { methods } from "@/app/api/v1/methods";
import { listStageChanges } from "@/lib/records/stage-history";

export const dynamic = "force-dynamic";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: { operation: listStageChanges } });
