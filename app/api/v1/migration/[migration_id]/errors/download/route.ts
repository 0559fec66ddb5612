import { methods } from "@/app/api/v1/methods";
import { downloadRecordIssues } from "@/lib/migration/download-issues";

export const dynamic = "force-dynamic";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: { operation: downloadRecordIssues } });
