import { methods } from "@/app/api/v1/methods";
import { revokeGrant } from "@/lib/oauth/clients/grants";

export const dynamic = "force-dynamic";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ DELETE: { operation: revokeGrant } });
