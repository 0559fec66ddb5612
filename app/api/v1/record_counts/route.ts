import { methods } from "@/app/api/v1/methods";
import { getRecordCounts } from "@/lib/records/record-counts";

export const dynamic = "force-dynamic";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: { operation: getRecordCounts } });
