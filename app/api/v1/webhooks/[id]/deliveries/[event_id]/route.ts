import { methods } from "@/app/api/v1/methods";
import { getDelivery } from "@/lib/webhooks/deliveries/read-deliveries";

export const dynamic = "force-dynamic";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: { operation: getDelivery } });
