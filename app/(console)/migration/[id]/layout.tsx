import type { Metadata } from "next";
import type { ReactNode } from "react";

import { migrationQuery, readMigration, titleWith } from "@/app/(console)/migration/[id]/current-migration";
import { Prefetched } from "@/app/prefetched";
import { currentSession } from "@/app/session";
import { WizardFrame } from "@/components/migration/wizard/wizard-frame";
import { env } from "@/lib/env";
import { sessionContext } from "@/lib/sessions/browser-sessions/session-store";

interface Props {
  params: Promise<{ id: string }>;
  children: ReactNode;
}

/** Each step has the name of the org in its title. */
export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { id } = await params;
  const session = await currentSession();
  const org = session && (await readMigration(sessionContext(session), id))?.org_name;
  return org ? { title: titleWith(org) } : {};
}

/** The pages redirect those who are not signed in. */
export default async function MigrationLayout({ params, children }: Props) {
  const { id } = await params;
  const session = await currentSession();
  if (!session) return children;
  return (
    <Prefetched context={sessionContext(session)} queries={[migrationQuery(id)]}>
      <WizardFrame key={id} id={id} canSignIn={env.SALESFORCE_CLIENT_ID !== undefined}>
        {children}
      </WizardFrame>
    </Prefetched>
  );
}
