import { allowOnly } from "@/lib/http/api/fallback-routes";
import { handle } from "@/lib/http/api/handle";
import { readJsonWith } from "@/lib/http/api/json-body";
import { createCommentOfCase, listCommentsOfCase } from "@/lib/records/case-thread";

export const dynamic = "force-dynamic";

const { refuse, options } = allowOnly("GET, HEAD, POST, OPTIONS");

interface Target {
  params: Promise<{ id: string }>;
}

export function GET(request: Request, { params }: Target): Promise<Response> {
  return handle(request, listCommentsOfCase, () => params);
}

export function POST(request: Request, { params }: Target): Promise<Response> {
  return handle(request, createCommentOfCase, async () => readJsonWith(request, await params), 201);
}

export { refuse as PUT, refuse as PATCH, refuse as DELETE, options as OPTIONS };
