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

/** An Inngest server sends at most this (MaxSDKRequestBodySize in its pkg/consts); the SDK fetches more from there. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** A signature can be checked only over the whole body, so until then the sender is not authenticated. */
const unauthenticated = new BodyBudget({ bytes: 8 * MAX_BODY_BYTES, bodies: 256 });

const methods = allowOnly("GET, HEAD, POST, PUT, OPTIONS");

const KEYS = [env.INNGEST_SIGNING_KEY, env.INNGEST_SIGNING_KEY_FALLBACK];

/**
 * Passes requests of the Inngest server to the SDK. Nothing is read without a signature, nor parsed before the
 * signature is verified.
 */
async function answer(method: "GET" | "POST" | "PUT", request: Request): Promise<Response> {
  try {
    if (!jobHandlers) throw notServed();
    const signature = isInngestDevServer(env) ? assertLocal(request.headers) : requireSignature(request.headers);
    const body = await readBytes(
      request,
      MAX_BODY_BYTES,
      `The body may have at most ${MAX_BODY_BYTES} bytes.`,
      unauthenticated,
    );
    if (signature && !isSignedBy(KEYS, signature, body)) throw notInngest();
    const { search } = new URL(request.url);
    const init = { method, headers: request.headers, ...(method !== "GET" && { body: body.toString() }) };
    return await jobHandlers[method](new Request(`${JOB_ADDRESS}${search}`, init) as NextRequest, undefined);
  } catch (error) {
    return problemResponse(error, requestIdOf(request));
  }
}

function notServed(): AppError {
  return new AppError("not_found", "Jobs run on the embedded engine here; nothing is served at this address.");
}

function notInngest(): AppError {
  return new AppError("forbidden", "Only the Inngest server that runs the jobs may send this, with its signature.");
}

function requireSignature(headers: Headers): InngestSignature {
  const signature = readSignature(headers.get("x-inngest-signature"));
  if (!signature) throw notInngest();
  return signature;
}

/** A development server does not sign. It must run on this machine, and must not be a page in a browser. */
function assertLocal(headers: Headers): null {
  if (!isLoopback(clientAddress(headers)) || headers.has("origin")) throw notInngest();
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
