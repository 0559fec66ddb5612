import { methods } from "@/app/api/v1/methods";
import { listAuditEvents } from "@/lib/settings/audit-log";

export const dynamic = "force-dynamic";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: { operation: listAuditEvents } });
