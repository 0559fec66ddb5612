import { methods } from "@/app/api/v1/methods";
import { listHistory } from "@/lib/migration/history/list-history";

export const dynamic = "force-dynamic";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: { operation: listHistory } });
