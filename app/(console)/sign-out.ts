"use server";

import { cookies } from "next/headers";
import { redirect } from "next/navigation";

import { currentSession } from "@/app/session";
import { endSession } from "@/lib/sessions/end-session";
import { SESSION_COOKIE, SESSION_COOKIE_OPTIONS } from "@/lib/sessions/session-cookie";

/** Ends the session on the server, so that a copy of the cookie is worth nothing, then forgets the cookie. */
export async function signOut(): Promise<void> {
  const session = await currentSession();
  if (session) await endSession(session.id);
  (await cookies()).set(SESSION_COOKIE, "", { ...SESSION_COOKIE_OPTIONS, maxAge: 0 });
  redirect("/sign-in");
}
