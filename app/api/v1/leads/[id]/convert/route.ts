import { allowOnly } from "@/lib/http/allowed-methods";
import { readJsonWith } from "@/lib/http/body";
import { handle } from "@/lib/http/handle";
import { convertLead } from "@/lib/records/convert-lead";

export const dynamic = "force-dynamic";

const { refuse, options } = allowOnly("POST, OPTIONS");

interface Target {
  params: Promise<{ id: string }>;
}

export function POST(request: Request, { params }: Target): Promise<Response> {
  return handle(request, convertLead, async () => readJsonWith(request, await params));
}

export { refuse as GET, refuse as PUT, refuse as PATCH, refuse as DELETE, options as OPTIONS };
