import type { NextRequest } from "next/server";
import { serve } from "inngest/next";

import { inngest } from "@/inngest/client";
import { functions } from "@/inngest/functions/all";
import { problemResponse } from "@/lib/http/problem";
import { AppError } from "@/lib/errors";
import { usesInngestServer } from "@/lib/env";
import { newId } from "@/lib/ids";

/** Where an Inngest server calls our functions. The embedded engine calls them in its own process, and its client accepts unsigned requests. */
const handler = usesInngestServer ? serve({ client: inngest, functions: [...functions] }) : undefined;

function notServed(): Response {
  return problemResponse(new AppError("not_found", "Jobs run on the embedded engine here; nothing is served at this address."), newId());
}

export async function GET(request: NextRequest, context: unknown): Promise<Response> {
  return handler ? handler.GET(request, context) : notServed();
}

export async function POST(request: NextRequest, context: unknown): Promise<Response> {
  return handler ? handler.POST(request, context) : notServed();
}

export async function PUT(request: NextRequest, context: unknown): Promise<Response> {
  return handler ? handler.PUT(request, context) : notServed();
}
