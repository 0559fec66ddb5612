import { randomBytes } from "node:crypto";

import { vi } from "vitest";

import { GET as callback } from "@/app/api/auth/callback/oidc/route";
import { POST as begin } from "@/app/api/auth/oidc/route";
import { env } from "@/lib/env";
import { log } from "@/lib/log";
import { createOrganization } from "@/lib/sessions/people/organizations";
import { BASE_URL } from "@/tests/oauth/support/fixtures";
import { send as sendToOthers } from "@/tests/oauth/support/service";
import { Browser } from "@/scripts/demo/obtain-access-token";
import {
  type ProviderClaims,
  type ProviderOptions,
  type RunningProvider,
  settingsOf,
  startOidcProvider,
} from "@/tests/support/oidc-provider";
import { pool } from "@/tests/support/owner";

/** Of every user that {@link createKnownUser} makes. */
export const PASSWORD = "correct horse battery";

const CALLBACK = "/api/auth/callback/oidc";

/** As `fetch`, answered by the route handlers in this process. */
export const send: typeof fetch = async (input, init) => {
  const request = new Request(input, init);
  const { pathname } = new URL(request.url);
  if (pathname === "/api/auth/oidc") return begin(request);
  if (pathname === CALLBACK && request.method === "GET") return callback(request);
  return sendToOthers(request);
};

/** The accounts at the provider by `sub`. */
export const accounts = new Map<string, ProviderClaims>();

interface Known {
  email: string;
  /** The `sub` of the account at the provider. */
  account: string;
  organizationId: string;
  userId: string;
}

/**
 * A new organization whose admin has an account at the provider, under the same address. Nothing that was throttled
 * before counts.
 */
export async function createKnownUser(): Promise<Known> {
  await pool().query("TRUNCATE throttles");
  const mark = randomBytes(6).toString("hex");
  const [email, account] = [`ada-${mark}@example.com`, `sub-${mark}`];
  accounts.set(account, { email, email_verified: true });
  const created = await createOrganization({ name: "Acme", admin: { email, name: "Ada", password: PASSWORD } });
  return { email, account, ...created };
}

/** Starts a provider and sets the service's settings to it. */
export async function useProvider(options: Pick<ProviderOptions, "forgeClaims"> = {}): Promise<RunningProvider> {
  const provider = await startOidcProvider({
    redirectUri: `${BASE_URL}${CALLBACK}`,
    claimsOf: (account) => accounts.get(account) ?? {},
    ...options,
  });
  setProvider(provider);
  return provider;
}

export function setProvider(provider: Omit<RunningProvider, "stop">): void {
  Object.assign(env, settingsOf(provider));
}

export function newBrowser(): Browser {
  return new Browser(BASE_URL, send);
}

/** Presses "Sign in with …" and returns the address at the provider that it leads to. */
export async function pressButton(browser: Browser, next = "/"): Promise<URL> {
  const response = await browser.post("/api/auth/oidc", { next });
  const target = response.headers.get("location") ?? "";
  if (response.status !== 303 || !URL.canParse(target))
    throw new Error(`The button led to ${response.status} ${target}.`);
  return new URL(target);
}

/**
 * Signs in at the provider as an account, or cancels there with null, and returns where the provider sends the browser
 * back to.
 */
export async function signInAtProvider(authorization: URL, account: string | null): Promise<URL> {
  const atProvider = new Browser(authorization.origin, fetch);
  const interaction = await follow(atProvider, authorization.href);
  await atProvider.get(interaction);
  const form: Record<string, string> = account === null ? { decision: "cancel" } : { decision: "continue", account };
  const resume = locationOf(await atProvider.post(interaction, form));
  return new URL(await follow(atProvider, resume));
}

async function follow(browser: Browser, address: string): Promise<string> {
  const response = await browser.get(address);
  const location = locationOf(response);
  if (!location) throw new Error(`The provider answered ${response.status}: ${(await response.text()).slice(0, 500)}`);
  return location;
}

/** Comes back from the provider and returns where the service leads, with everything that it says. */
export function comeBack(browser: Browser, callbackUrl: URL): Promise<Response> {
  return browser.get(`${callbackUrl.pathname}${callbackUrl.search}`);
}

/** The whole way, as an account. Returns where the service leads at the end. */
export async function signInAs(account: string | null, browser = newBrowser(), next = "/"): Promise<string> {
  return locationOf(await comeBack(browser, await signInAtProvider(await pressButton(browser, next), account)));
}

/** What the audit log has of an attempt, and where it leads. */
export async function reasonsOf(attempt: () => Promise<string>): Promise<{ location: string; reasons: unknown[] }> {
  const warn = vi.spyOn(log, "warn");
  try {
    const location = await attempt();
    return { location, reasons: warn.mock.calls.map(([fields]) => (fields as { reason?: string }).reason) };
  } finally {
    warn.mockRestore();
  }
}

export function locationOf(response: Response): string {
  return response.headers.get("location") ?? "";
}
