import { methods } from "@/app/api/v1/methods";
import { getReport } from "@/lib/migration/read-migrations";

export const dynamic = "force-dynamic";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: { operation: getReport } });
