"use client";

import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import { RowsSkeleton } from "@/components/ui/feedback/rows-skeleton";
import { ConfigurationForm } from "@/components/migration/configure/configuration-form";
import { useConfiguration, useReport, useMigration } from "@/components/migration/use-migration";

/** Step four: what is migrated, and to which fields. */
export function ConfigureStep({ id }: { id: string }) {
  const report = useReport(id);
  const saved = useConfiguration(id);
  const { data: migration } = useMigration(id);
  if (report.isError) return <ProblemAlert error={report.error} onRetry={() => void report.refetch()} />;
  if (saved.isError) return <ProblemAlert error={saved.error} onRetry={() => void saved.refetch()} />;
  if (report.isPending || saved.isPending || !migration) return <RowsSkeleton label="Loading the configuration" />;
  return <ConfigurationForm migration={migration} report={report.data} saved={saved.data} />;
}
