import type { ReactNode } from "react";

import { currentSession } from "@/app/session";
import { OrganizationDefaults } from "@/components/settings/organization/organization-defaults";
import { SwitchedOffNotice } from "@/components/settings/webhooks/switched-off-notice";
import { ConsoleShell } from "@/components/shell/console-shell";
import { personOf } from "@/lib/http/api/authenticate";
import { listDisabledByService } from "@/lib/webhooks/endpoints/read-webhooks";

/**
 * Each page requires the session itself, so that signing in leads back to it. The frame is only for signed-in people;
 * others see here only that there is no such page.
 */
export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  const session = await currentSession();
  if (!session) return <main>{children}</main>;
  const isAdmin = session.role === "admin";
  const person = {
    id: personOf(session),
    name: session.user_name,
    email: session.user_email,
    organization: session.organization_name,
    isAdmin,
  };
  const switchedOff = isAdmin ? await listDisabledByService(session.organization_id) : [];
  return (
    <OrganizationDefaults currency={session.organization_currency} timeZone={session.organization_time_zone}>
      <ConsoleShell person={person} notice={switchedOff.length > 0 && <SwitchedOffNotice webhooks={switchedOff} />}>
        {children}
      </ConsoleShell>
    </OrganizationDefaults>
  );
}
