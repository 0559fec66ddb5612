import type { NextRequest } from "next/server";
import { serve } from "inngest/next";

import { inngest } from "@/inngest/client";
import { functions } from "@/inngest/functions/all";
import { usesInngestServer } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { allowOnly } from "@/lib/http/allowed-methods";
import { problemResponse } from "@/lib/http/problem";
import { requestIdOf } from "@/lib/http/request-id";

/** Where an Inngest server calls our functions. The embedded engine calls them in its own process, and its client accepts unsigned requests. */
const handler = usesInngestServer ? serve({ client: inngest, functions: [...functions] }) : undefined;

const methods = allowOnly("GET, HEAD, POST, PUT, OPTIONS");

function notServed(request: Request): Response {
  const error = new AppError("not_found", "Jobs run on the embedded engine here; nothing is served at this address.");
  return problemResponse(error, requestIdOf(request));
}

export async function GET(request: NextRequest, context: unknown): Promise<Response> {
  return handler ? handler.GET(request, context) : notServed(request);
}

export async function POST(request: NextRequest, context: unknown): Promise<Response> {
  return handler ? handler.POST(request, context) : notServed(request);
}

export async function PUT(request: NextRequest, context: unknown): Promise<Response> {
  return handler ? handler.PUT(request, context) : notServed(request);
}

function refuse(request: Request): Response {
  return handler ? methods.refuse(request) : notServed(request);
}

export function OPTIONS(request: Request): Response {
  return handler ? methods.options() : notServed(request);
}

export { refuse as PATCH, refuse as DELETE };
