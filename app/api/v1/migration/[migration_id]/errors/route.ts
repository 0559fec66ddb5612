import { methods } from "@/app/api/v1/methods";
import { listRecordIssues } from "@/lib/migration/record-issues";

export const dynamic = "force-dynamic";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: { operation: listRecordIssues } });
