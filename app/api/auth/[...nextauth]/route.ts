import { callNextAuth } from "@/app/api/auth/call-next-auth";
import { readForm } from "@/lib/http/read-form";
import { problemResponse } from "@/lib/http/problem";
import { newId } from "@/lib/ids";

/** next-auth's `_log` is left out: it writes what anybody sends into the log. */
const ACTIONS = new Set(["csrf", "session", "providers", "signin", "signout", "callback", "error"]);

interface RouteContext {
  params: Promise<{ nextauth: string[] }>;
}

async function answer(request: Request, { params }: RouteContext): Promise<Response> {
  const { nextauth: action } = await params;
  if (!ACTIONS.has(action[0] ?? "")) return new Response(null, { status: 404 });
  try {
    const response = await callNextAuth({
      action,
      method: request.method,
      query: Object.fromEntries(new URL(request.url).searchParams),
      body: await readBody(request),
      cookies: readCookies(request),
      headers: request.headers,
    });
    response.headers.set("cache-control", "no-store");
    return response;
  } catch (error) {
    return problemResponse(error, newId());
  }
}

async function readBody(request: Request): Promise<Record<string, unknown>> {
  if (request.method !== "POST") return {};
  const text = await readForm(request);
  if (!request.headers.get("content-type")?.includes("application/json")) return Object.fromEntries(new URLSearchParams(text));
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === "object" && parsed !== null ? { ...parsed } : {};
  } catch {
    return {};
  }
}

function readCookies(request: Request): Record<string, string> {
  const pairs = (request.headers.get("cookie") ?? "").split(";").map((pair) => pair.split("="));
  return Object.fromEntries(pairs.flatMap(([name, ...value]) => (name?.trim() ? [[name.trim(), decode(value.join("=").trim())]] : [])));
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

export { answer as GET, answer as POST };
