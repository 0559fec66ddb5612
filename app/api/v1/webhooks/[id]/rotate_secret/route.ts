import { methods } from "@/app/api/v1/methods";
import { rotateSecret } from "@/lib/webhooks/endpoints/rotate-secret";

export const dynamic = "force-dynamic";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ POST: { operation: rotateSecret, body: true } });
