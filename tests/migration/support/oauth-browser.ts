import { FORM_COOKIE, recallForm } from "@/app/form-memory";
import { GET as callback } from "@/app/migration/callback/route";
import { sealSessionId, SESSION_COOKIE } from "@/lib/sessions/browser-sessions/cookies";
import type { MigrationApi } from "@/tests/migration/support/api-service";
import { createSession } from "@/tests/support/factories";

/** The address that Salesforce redirects browsers to. */
export const CALLBACK = "http://localhost:3000/migration/callback";

/** The address of the sign-in, as the API returns it. */
export async function beginSignIn(api: MigrationApi, loginUrl: string): Promise<URL> {
  const { body } = await api.post("/migration/connections/authorize", { login_url: loginUrl });
  return new URL(String(body.authorize_url));
}

/** Signs in at the org and presses a button; returns the address that the org redirects to. */
export async function decide(authorizeUrl: URL, decision: "allow" | "deny" = "allow"): Promise<URL> {
  const form = new URLSearchParams(authorizeUrl.search);
  form.set("decision", decision);
  const response = await fetch(new URL(authorizeUrl.pathname, authorizeUrl), {
    method: "POST",
    body: form,
    redirect: "manual",
  });
  return new URL(response.headers.get("location") ?? "about:blank");
}

interface Return {
  status: number;
  /** The address that the browser is sent to, including the query. */
  path: string;
  /** The sentence that the wizard shows. */
  reason: string | undefined;
}

/** Follows the redirect of the org in the browser of a user; null: of nobody. */
export async function comeBack(url: URL, user: { organizationId: string; userId: string } | null): Promise<Return> {
  const cookie: Record<string, string> = user
    ? { cookie: `${SESSION_COOKIE}=${await sealSessionId(await createSession(user))}` }
    : {};
  const response = await callback(new Request(url, { headers: { ...cookie, "sec-fetch-site": "cross-site" } }));
  const [memory] = response.headers.getSetCookie().map((line) => new RegExp(`^${FORM_COOKIE}=([^;]*)`).exec(line)?.[1]);
  const reason = memory === undefined ? undefined : recallForm("/migration/new", memory).faults["connection"];
  return { status: response.status, path: response.headers.get("location") ?? "", reason };
}

/** The id of the connection with which the browser returns. */
export function connectionIn({ path }: Return): string {
  const [, id] = /^\/migration\/new\?connection_id=([0-9a-f-]{36})$/.exec(path) ?? [];
  if (!id) throw new Error(`The return led to ${path}.`);
  return id;
}
