"use client";

import { BeforeStart } from "@/components/migration/migrate/before-start";
import { RunOutcome } from "@/components/migration/migrate/run-outcome";
import { RunProgress } from "@/components/migration/migrate/run-progress";
import { isUnderWay } from "@/components/migration/wizard/migration-statuses";
import { useMigration } from "@/components/migration/use-migration";
import { KeepFocus } from "@/components/ui/layout/keep-focus";
import type { Migration } from "@/lib/migration/migration-schema";

interface MigrateStepProps {
  id: string;
  isAdmin: boolean;
  /** Whether whoever runs this service has registered it at Salesforce. */
  canSignIn: boolean;
}

/** Step five: the start, the progress, and the result. */
export function MigrateStep({ id, isAdmin, canSignIn }: MigrateStepProps) {
  const { data, dataUpdatedAt } = useMigration(id);
  if (!data) return null;
  return (
    <KeepFocus on={`${data.status} ${data.delta_schedule === null}`}>
      <Content migration={data} at={dataUpdatedAt} isAdmin={isAdmin} canSignIn={canSignIn} />
    </KeepFocus>
  );
}

interface ContentProps extends Omit<MigrateStepProps, "id"> {
  migration: Migration;
  /** The time of the last poll. */
  at: number;
}

function Content({ migration, at, isAdmin, canSignIn }: ContentProps) {
  if (migration.status === "ready") return <BeforeStart migration={migration} />;
  if (isUnderWay(migration.status)) return <RunProgress migration={migration} at={at} canSignIn={canSignIn} />;
  return <RunOutcome migration={migration} isAdmin={isAdmin} canSignIn={canSignIn} />;
}
