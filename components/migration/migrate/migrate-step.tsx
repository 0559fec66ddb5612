"use client";

import { BeforeStart } from "@/components/migration/migrate/before-start";
import { RunOutcome } from "@/components/migration/migrate/outcome/run-outcome";
import { RunProgress } from "@/components/migration/migrate/progress/run-progress";
import { isUnderWay } from "@/components/migration/wizard/migration-statuses";
import { useMigration } from "@/components/migration/use-migration";

interface MigrateStepProps {
  id: string;
  isAdmin: boolean;
}

/** Step five: the start, the progress, and the result. */
export function MigrateStep({ id, isAdmin }: MigrateStepProps) {
  const { data } = useMigration(id);
  if (!data) return null;
  if (data.status === "ready") return <BeforeStart migration={data} />;
  if (isUnderWay(data.status)) return <RunProgress migration={data} />;
  return <RunOutcome migration={data} isAdmin={isAdmin} />;
}
