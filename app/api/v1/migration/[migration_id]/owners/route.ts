import { methods } from "@/app/api/v1/methods";
import { listOwners } from "@/lib/migration/owners/list-owners";

export const dynamic = "force-dynamic";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: { operation: listOwners } });
