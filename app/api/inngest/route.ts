import type { NextRequest } from "next/server";

import { JOB_ADDRESS, jobHandlers } from "@/inngest/serving";
import { env } from "@/lib/env";
import { isLoopback, isInngestDevServer } from "@/lib/env-rules";
import { AppError } from "@/lib/errors";
import { allowOnly } from "@/lib/http/api/fallback-routes";
import { BodyBudget, readBytes } from "@/lib/http/body-bytes";
import { problemResponse } from "@/lib/http/problem";
import { clientAddress, requestIdOf } from "@/lib/http/request";
import { type InngestSignature, isSignedBy, readSignature } from "@/lib/security/inngest-signature";

export const dynamic = "force-dynamic";

const MEBIBYTE = 1024 * 1024;

/**
 * An Inngest server sends no more (MaxSDKRequestBodySize in its pkg/consts): what a run has beyond that, the SDK reads
 * there.
 */
const MAX_BODY_BYTES = 4 * MEBIBYTE;

/** Whose signature can only be checked over the whole body has proved nothing until then. */
const unproved = new BodyBudget(8 * MAX_BODY_BYTES);

const methods = allowOnly("GET, HEAD, POST, PUT, OPTIONS");

const KEYS = [env.INNGEST_SIGNING_KEY, env.INNGEST_SIGNING_KEY_FALLBACK];

/**
 * Passes on to the SDK what the Inngest server asks. Nothing is read before it bears a signature, nor parsed before
 * that has proved right.
 */
async function answer(method: "GET" | "POST" | "PUT", request: Request): Promise<Response> {
  try {
    if (!jobHandlers) throw notServed();
    const signature = isInngestDevServer(env) ? assertLocal(request.headers) : requireSignature(request.headers);
    const body = await readBytes(
      request,
      MAX_BODY_BYTES,
      `The body may have at most ${MAX_BODY_BYTES} bytes.`,
      unproved,
    );
    if (signature && !isSignedBy(KEYS, signature, body)) throw stranger();
    const { search } = new URL(request.url);
    const asked = { method, headers: request.headers, ...(method !== "GET" && { body: body.toString() }) };
    return await jobHandlers[method](new Request(`${JOB_ADDRESS}${search}`, asked) as NextRequest, undefined);
  } catch (error) {
    return problemResponse(error, requestIdOf(request));
  }
}

function notServed(): AppError {
  return new AppError("not_found", "Jobs run on the embedded engine here; nothing is served at this address.");
}

function stranger(): AppError {
  return new AppError("forbidden", "Only the Inngest server that runs the jobs may ask this, with its signature.");
}

function requireSignature(headers: Headers): InngestSignature {
  const signature = readSignature(headers.get("x-inngest-signature"));
  if (!signature) throw stranger();
  return signature;
}

/** A development server signs nothing. It runs on this machine, and it is no page in a browser. */
function assertLocal(headers: Headers): null {
  if (!isLoopback(clientAddress(headers)) || headers.has("origin")) throw stranger();
  return null;
}

export function GET(request: Request): Promise<Response> {
  return answer("GET", request);
}

export function POST(request: Request): Promise<Response> {
  return answer("POST", request);
}

export function PUT(request: Request): Promise<Response> {
  return answer("PUT", request);
}

function refuse(request: Request): Response {
  return jobHandlers ? methods.refuse(request) : problemResponse(notServed(), requestIdOf(request));
}

export function OPTIONS(request: Request): Response {
  return jobHandlers ? methods.options() : problemResponse(notServed(), requestIdOf(request));
}

export { refuse as PATCH, refuse as DELETE };
