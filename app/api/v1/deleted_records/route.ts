import { methods } from "@/app/api/v1/methods";
import { listDeletedRecords } from "@/lib/records/delete/list-deleted";

export const dynamic = "force-dynamic";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: { operation: listDeletedRecords } });
