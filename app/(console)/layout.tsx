import type { ReactNode } from "react";

import { currentSession } from "@/app/session";
import { ConsoleShell } from "@/components/shell/console-shell";

/** Every page asks for the session itself, so that signing in leads back to it; the frame is for those who have one. */
export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  const session = await currentSession();
  if (!session) return children;
  const person = { name: session.user_name, email: session.user_email, organization: session.organization_name, isAdmin: session.role === "admin" };
  return <ConsoleShell person={person}>{children}</ConsoleShell>;
}
