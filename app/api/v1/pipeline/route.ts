import { methods } from "@/app/api/v1/methods";
import { getPipeline } from "@/lib/records/sales-pipeline";

export const dynamic = "force-dynamic";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: { operation: getPipeline } });
