import { methods } from "@/app/api/v1/methods";
import { listGrants } from "@/lib/oauth/clients/grants";

export const dynamic = "force-dynamic";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: { operation: listGrants } });
