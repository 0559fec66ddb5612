import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";

import type { Context } from "@/lib/context";
import { requestSession } from "@/lib/http/api/authenticate";
import { type Session, sessionContext } from "@/lib/sessions/browser-sessions/session-store";
import { organizationExists } from "@/lib/sessions/people/organizations";

/** The live session of the browser that requests this page, or null. Looked up once per request. */
export const currentSession = cache(async (): Promise<Session | null> => requestSession(await headers()));

/**
 * The signed-in person, for the page's frame: names, e-mail and role. Redirects to the sign-in page as {@link
 * requireSession} does.
 */
export async function requirePerson(next: string): Promise<Session> {
  const session = await currentSession();
  if (session) return session;
  if (!(await organizationExists())) redirect("/setup");
  redirect(next === "/" ? "/sign-in" : `/sign-in?next=${encodeURIComponent(next)}`);
}

/**
 * The context of the signed-in person, for operations. If nobody is signed in, redirects to /sign-in, and from there
 * back to `next` (path and query of the page); to /setup while there is no organization.
 */
export async function requireSession(next: string): Promise<Context> {
  return sessionContext(await requirePerson(next));
}
