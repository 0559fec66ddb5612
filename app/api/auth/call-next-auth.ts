import type { NextApiRequest, NextApiResponse } from "next";
import NextAuth from "next-auth";

import { authOptions } from "@/app/api/auth/auth-options";
import { visitOf } from "@/lib/http/api/authenticate";

export interface NextAuthCall {
  /** The path below /api/auth: ["callback", "credentials"]. */
  action: readonly string[];
  method: string;
  query: Record<string, string>;
  body: Record<string, unknown>;
  cookies: Record<string, string>;
  headers: Headers;
}

/**
 * Collects the response of next-auth, which writes to the response object of Next's older routes. That object works
 * without a request of Next.
 */
class CollectedResponse {
  statusCode = 200;
  readonly headers = new Map<string, string | string[]>();
  body: string | null = null;

  status(code: number): this {
    this.statusCode = code;
    return this;
  }
  getHeader(name: string): string | string[] | undefined {
    return this.headers.get(name.toLowerCase());
  }
  setHeader(name: string, value: string | string[]): this {
    this.headers.set(name.toLowerCase(), value);
    return this;
  }
  json(value: unknown): void {
    this.setHeader("content-type", "application/json");
    this.body = JSON.stringify(value);
  }
  send(value: unknown): void {
    if (typeof value === "string" || value === undefined) this.body = value ?? null;
    else this.json(value);
  }
  end(): void {
    // The body, if any, has been collected.
  }
}

/** Runs one action of next-auth and returns its response. */
export async function callNextAuth({ action, method, query, body, cookies, headers }: NextAuthCall): Promise<Response> {
  const collected = new CollectedResponse();
  const request = {
    method,
    body,
    cookies,
    headers: Object.fromEntries(headers),
    query: { ...query, nextauth: [...action] },
  };
  // next-auth uses only the members that these two objects have.
  await NextAuth(
    request as unknown as NextApiRequest,
    collected as unknown as NextApiResponse,
    authOptions(visitOf(headers)),
  );
  const answer = new Headers();
  for (const [name, value] of collected.headers) for (const one of [value].flat()) answer.append(name, one);
  return new Response(collected.body, { status: collected.statusCode, headers: answer });
}

/**
 * Runs an action of next-auth for a form of our own page. next-auth requires a CSRF token, which is fetched here: the
 * caller has checked the form's origin instead, which also works for a page without scripts.
 */
export async function postToNextAuth(
  headers: Headers,
  action: readonly string[],
  fields: Record<string, string>,
): Promise<Response> {
  const common = { query: {}, headers };
  const csrf = await callNextAuth({ ...common, action: ["csrf"], method: "GET", body: {}, cookies: {} });
  const { csrfToken } = (await csrf.json()) as { csrfToken: string };
  const cookies = Object.fromEntries(csrf.headers.getSetCookie().map(readSetCookie));
  return callNextAuth({ ...common, action, method: "POST", body: { csrfToken, ...fields }, cookies });
}

/** The name and the decoded value of a `Set-Cookie` header. */
export function readSetCookie(cookie: string): [name: string, value: string] {
  const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
  return [name, decodeURIComponent(value)];
}
