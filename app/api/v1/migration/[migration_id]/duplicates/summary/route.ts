import { methods } from "@/app/api/v1/methods";
import { summarizeDuplicates } from "@/lib/migration/duplicates/list-duplicates";

export const dynamic = "force-dynamic";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: { operation: summarizeDuplicates } });
