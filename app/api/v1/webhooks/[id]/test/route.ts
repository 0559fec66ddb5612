import { methods } from "@/app/api/v1/methods";
import { sendTest } from "@/lib/webhooks/deliveries/send-test";

export const dynamic = "force-dynamic";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ POST: { operation: sendTest } });
