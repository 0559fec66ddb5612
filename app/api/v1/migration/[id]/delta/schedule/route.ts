import { allowOnly } from "@/lib/http/api/fallback-routes";
import { handle } from "@/lib/http/api/handle";
import { readJsonWith } from "@/lib/http/api/json-body";
import { scheduleDeltas, unscheduleDeltas } from "@/lib/migration/runs/delta-schedule";

export const dynamic = "force-dynamic";

const { refuse, options } = allowOnly("PUT, DELETE, OPTIONS");

interface Target {
  params: Promise<{ id: string }>;
}

export function PUT(request: Request, { params }: Target): Promise<Response> {
  return handle(request, scheduleDeltas, async () => readJsonWith(request, { migration_id: (await params).id }));
}

export function DELETE(request: Request, { params }: Target): Promise<Response> {
  return handle(request, unscheduleDeltas, async () => ({ migration_id: (await params).id }));
}

export { refuse as GET, refuse as POST, refuse as PATCH, options as OPTIONS };
