import { callNextAuth } from "@/app/api/auth/call-next-auth";
import { OIDC_ID } from "@/app/api/auth/oidc-next-auth";
import { allowOnly, unknownPath } from "@/lib/http/api/fallback-routes";
import { readForm } from "@/lib/http/body-bytes";
import { problemResponse } from "@/lib/http/problem";
import { requestIdOf } from "@/lib/http/request";

/** The actions of next-auth, with their methods. Its `_log` is left out, since it logs whatever anybody sends. */
const READING = allowOnly("GET, HEAD, OPTIONS");
const BOTH = allowOnly("GET, HEAD, POST, OPTIONS");
const ACTIONS = new Map(
  Object.entries({
    csrf: READING,
    session: READING,
    providers: READING,
    error: READING,
    signin: BOTH,
    signout: BOTH,
    callback: BOTH,
  }),
);

interface RouteContext {
  params: Promise<{ nextauth: string[] }>;
}

async function answer(request: Request, { params }: RouteContext): Promise<Response> {
  const { nextauth: action } = await params;
  const methods = ACTIONS.get(action[0] ?? "");
  // Sign-in through the provider has separate routes, which count the steps and check the response.
  if (!methods || action[1] === OIDC_ID) return unknownPath(request);
  if (request.method === "OPTIONS") return methods.options();
  if (!methods.allow.split(", ").includes(request.method)) return methods.refuse(request);
  return runAction(request, action);
}

async function runAction(request: Request, action: string[]): Promise<Response> {
  try {
    const response = await callNextAuth({
      action,
      method: request.method === "HEAD" ? "GET" : request.method,
      query: Object.fromEntries(new URL(request.url).searchParams),
      body: await readBody(request),
      cookies: readCookies(request),
      headers: request.headers,
    });
    response.headers.set("cache-control", "no-store");
    return response;
  } catch (error) {
    return problemResponse(error, requestIdOf(request));
  }
}

async function readBody(request: Request): Promise<Record<string, unknown>> {
  if (request.method !== "POST") return {};
  const text = await readForm(request);
  if (!request.headers.get("content-type")?.includes("application/json"))
    return Object.fromEntries(new URLSearchParams(text));
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === "object" && parsed !== null ? { ...parsed } : {};
  } catch {
    return {};
  }
}

function readCookies(request: Request): Record<string, string> {
  const pairs = (request.headers.get("cookie") ?? "").split(";").map((pair) => pair.split("="));
  return Object.fromEntries(
    pairs.flatMap(([name, ...value]) => (name?.trim() ? [[name.trim(), decode(value.join("=").trim())]] : [])),
  );
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

export { answer as GET, answer as POST, answer as PUT, answer as PATCH, answer as DELETE, answer as OPTIONS };
