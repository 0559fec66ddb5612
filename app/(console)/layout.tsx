import type { ReactNode } from "react";

import { currentSession } from "@/app/session";
import { SwitchedOffNotice } from "@/components/settings/webhooks/switched-off-notice";
import { ConsoleShell } from "@/components/shell/console-shell";
import { listDisabledByService } from "@/lib/webhooks/endpoints/read-webhooks";

/** Every page asks for the session itself, so that signing in leads back to it; the frame is for those who have one. */
export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  const session = await currentSession();
  if (!session) return children;
  const isAdmin = session.role === "admin";
  const person = {
    name: session.user_name,
    email: session.user_email,
    organization: session.organization_name,
    isAdmin,
  };
  const switchedOff = isAdmin ? await listDisabledByService(session.organization_id) : [];
  return (
    <ConsoleShell person={person} notice={switchedOff.length > 0 && <SwitchedOffNotice webhooks={switchedOff} />}>
      {children}
    </ConsoleShell>
  );
}
