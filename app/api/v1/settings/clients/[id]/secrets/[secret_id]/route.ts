import { methods } from "@/app/api/v1/methods";
import { endClientSecret } from "@/lib/oauth/clients/client-secrets";

export const dynamic = "force-dynamic";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ DELETE: { operation: endClientSecret } });
