import { allowOnly } from "@/lib/http/allowed-methods";
import { handle } from "@/lib/http/handle";
import { getDelivery } from "@/lib/webhooks/get-delivery";

export const dynamic = "force-dynamic";

const { refuse, options } = allowOnly("GET, HEAD, OPTIONS");

interface Target {
  params: Promise<{ id: string; event_id: string }>;
}

export function GET(request: Request, { params }: Target): Promise<Response> {
  return handle(request, getDelivery, () => params);
}

export { refuse as POST, refuse as PUT, refuse as PATCH, refuse as DELETE, options as OPTIONS };
