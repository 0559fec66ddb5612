import { methods } from "@/app/api/v1/methods";
import { getDeletionImpact } from "@/lib/settings/organization/delete-organization";

export const dynamic = "force-dynamic";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: { operation: getDeletionImpact } });
