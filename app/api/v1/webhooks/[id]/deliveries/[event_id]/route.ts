import { allowOnly } from "@/lib/http/api/fallback-routes";
import { handle } from "@/lib/http/api/handle";
import { getDelivery } from "@/lib/webhooks/deliveries/read-deliveries";

export const dynamic = "force-dynamic";

const { refuse, options } = allowOnly("GET, HEAD, OPTIONS");

interface Target {
  params: Promise<{ id: string; event_id: string }>;
}

export function GET(request: Request, { params }: Target): Promise<Response> {
  return handle(request, getDelivery, () => params);
}

export { refuse as POST, refuse as PUT, refuse as PATCH, refuse as DELETE, options as OPTIONS };
