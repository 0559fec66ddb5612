import { methods } from "@/app/api/v1/methods";
import { getAnalysisProgress } from "@/lib/migration/report/analysis-progress";

export const dynamic = "force-dynamic";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: { operation: getAnalysisProgress } });
