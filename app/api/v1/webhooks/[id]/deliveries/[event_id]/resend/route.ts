import { methods } from "@/app/api/v1/methods";
import { resendDelivery } from "@/lib/webhooks/deliveries/resend-delivery";

export const dynamic = "force-dynamic";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ POST: { operation: resendDelivery } });
