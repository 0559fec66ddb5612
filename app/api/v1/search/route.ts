import { methods } from "@/app/api/v1/methods";
import { searchRecords } from "@/lib/records/search-records";

export const dynamic = "force-dynamic";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: { operation: searchRecords } });
