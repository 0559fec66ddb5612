"use client";

import { Button, Stack } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";

import { PrintButton } from "@/components/ui/layout/print-button";
import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import { RowsSkeleton } from "@/components/ui/feedback/rows-skeleton";
import { AnalyzeAgain } from "@/components/migration/connect-again";
import { AutomationComplexity } from "@/components/migration/report/automation-complexity";
import { DataQuality } from "@/components/migration/report/data-quality";
import { FieldMappings } from "@/components/migration/report/field-mappings";
import { Inventory } from "@/components/migration/report/inventory";
import { MigratedBefore } from "@/components/migration/report/migrated-before";
import { Readiness } from "@/components/migration/report/readiness";
import { RiskList } from "@/components/migration/report/risk-list";
import { ScoreParts } from "@/components/migration/report/score-parts";
import { Timeline } from "@/components/migration/report/timeline";
import { Volume } from "@/components/migration/report/volume";
import { useReport, useMigration } from "@/components/migration/use-migration";
import { StepFooter } from "@/components/migration/wizard/step-footer";
import { isUnderWay } from "@/components/migration/wizard/migration-statuses";
import { LinkButton } from "@/components/ui/text/links";
import type { Report } from "@/lib/migration/report/report-schema";

/** Step three: the report. */
export function ReportStep({ id }: { id: string }) {
  const query = useReport(id);
  const { data: migration } = useMigration(id);
  if (query.isPending) return <RowsSkeleton label="Loading the report" />;
  if (query.isError) return <ProblemAlert error={query.error} onRetry={() => void query.refetch()} />;
  const report = query.data;
  const hasRun = migration !== undefined && migration.run_number > 0;
  return (
    <Stack gap="xl">
      {migration && !hasRun && <MigratedBefore migration={migration} />}
      <Sections id={id} report={report} hasRun={hasRun} />
      <StepFooter
        promisesNothingWritten={migration?.run_number === 0}
        back={
          <>
            <PrintButton />
            <DownloadButton id={id} />
            {migration && <AnalyzeAgain instanceUrl={migration.ext_instance_url} variant="default" />}
          </>
        }
        next={
          hasRun ? (
            <LinkButton href={`/migration/${id}/migrate`}>
              {isUnderWay(migration.status) ? "Go to the progress" : "Go to the outcome"}
            </LinkButton>
          ) : (
            <LinkButton href={`/migration/${id}/configure`}>Continue to configure</LinkButton>
          )
        }
      />
    </Stack>
  );
}

interface SectionsProps {
  id: string;
  report: Report;
  hasRun: boolean;
}

/** What the report says. */
function Sections({ id, report, hasRun }: SectionsProps) {
  return (
    <>
      <Readiness report={report} hasRun={hasRun} />
      <ScoreParts readiness={report.readiness} />
      <RiskList id={id} report={report} />
      <Volume inventory={report.inventory} />
      <Inventory inventory={report.inventory} />
      <FieldMappings inventory={report.inventory} hasRun={hasRun} />
      {report.quality && <DataQuality quality={report.quality} inventory={report.inventory} />}
      <AutomationComplexity report={report} />
      <Timeline estimate={report.estimate} />
    </>
  );
}

/** The report as a JSON file. */
function DownloadButton({ id }: { id: string }) {
  return (
    <Button
      component="a"
      href={`/api/v1/migration/${id}/report/download`}
      variant="default"
      leftSection={<IconDownload size={16} stroke={1.6} aria-hidden />}
    >
      Download
    </Button>
  );
}
