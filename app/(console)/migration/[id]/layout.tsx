import type { ReactNode } from "react";

import { Prefetched } from "@/app/prefetched";
import { currentSession } from "@/app/session";
import { queryKeys } from "@/components/api/query-keys";
import { WizardFrame } from "@/components/migration/wizard/wizard-frame";
import { env } from "@/lib/env";
import { getMigration } from "@/lib/migration/read-migrations";
import { sessionContext } from "@/lib/sessions/browser-sessions/session-store";

interface Props {
  params: Promise<{ id: string }>;
  children: ReactNode;
}

/** The pages redirect those who are not signed in. */
export default async function MigrationLayout({ params, children }: Props) {
  const { id } = await params;
  const session = await currentSession();
  if (!session) return children;
  const query = { key: queryKeys.migration(id), operation: getMigration, input: { migration_id: id } };
  return (
    <Prefetched context={sessionContext(session)} queries={[query]}>
      <WizardFrame key={id} id={id} canSignIn={env.SALESFORCE_CLIENT_ID !== undefined}>
        {children}
      </WizardFrame>
    </Prefetched>
  );
}
