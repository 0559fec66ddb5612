import { methods } from "@/app/api/v1/methods";
import { convertLead } from "@/lib/records/lead-conversion/convert-lead";

export const dynamic = "force-dynamic";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ POST: { operation: convertLead, body: true } });
