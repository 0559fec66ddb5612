import { methods } from "@/app/api/v1/methods";
import { listRelationships } from "@/lib/migration/relationships/list-relationships";

export const dynamic = "force-dynamic";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: { operation: listRelationships } });
