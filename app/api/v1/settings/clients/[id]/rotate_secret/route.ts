import { methods } from "@/app/api/v1/methods";
import { rotateClientSecret } from "@/lib/oauth/clients/client-secrets";

export const dynamic = "force-dynamic";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: { operation: rotateClientSecret, body: true },
});
