import { methods } from "@/app/api/v1/methods";
import { disconnectOrg } from "@/lib/migration/connections/connected-orgs";

export const dynamic = "force-dynamic";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ POST: { operation: disconnectOrg } });
