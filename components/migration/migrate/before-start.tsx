import { Box, Button, Paper, Stack, Text, Title } from "@mantine/core";

import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import { RowsSkeleton } from "@/components/ui/feedback/rows-skeleton";
import { formatCounted, formatEstimate } from "@/components/ui/text/format";
import { filesFound } from "@/components/migration/files-found";
import { choicesFor, type SelectableObject, selectedObjects } from "@/components/migration/configure/draft/choices";
import { needsOf } from "@/components/migration/needs";
import { NeedsFacts } from "@/components/migration/needs-facts";
import { useConfiguration, useReport } from "@/components/migration/use-migration";
import { DisconnectedNote } from "@/components/migration/disconnected-note";
import classes from "@/components/migration/migrate/before-start.module.css";
import { duplicatesInWords } from "@/components/migration/migrate/duplicate-words";
import { PhaseList } from "@/components/migration/migrate/phase-list";
import { useControl } from "@/components/migration/control/use-control";
import { LinkButton } from "@/components/ui/text/links";
import type { Configuration } from "@/lib/migration/configuration/configuration-schema";
import type { Migration } from "@/lib/migration/migration-schema";
import { objectLabel } from "@/lib/migration/objects/source-object-names";
import type { Report } from "@/lib/migration/report/report-schema";
import { importSentence, recordsBeginning } from "@/lib/migration/report/wording";
import { isResource } from "@/lib/records/schema/registry";
import { StepFooter } from "@/components/migration/wizard/step-footer";
import { RECORD_NAMES } from "@/components/records/record-names";

/** Summary of what will be migrated, and the button that starts it. */
export function BeforeStart({ migration }: { migration: Migration }) {
  const id = migration.migration_id;
  const report = useReport(id);
  const saved = useConfiguration(id);
  const run = useControl(id);
  if (report.isError) return <ProblemAlert error={report.error} onRetry={() => void report.refetch()} />;
  if (saved.isError) return <ProblemAlert error={saved.error} onRetry={() => void saved.refetch()} />;
  if (report.isPending || saved.isPending) return <RowsSkeleton label="Loading what will be migrated" />;
  return (
    <Stack gap="lg">
      <Plan report={report.data} saved={saved.data} />
      <PhaseList
        migration={migration}
        phases={phasesOf(selectedObjects(report.data, saved.data), saved.data)}
        runAll="Start migration"
      />
      {!migration.connected && <DisconnectedNote migration={migration} />}
      {run.isError && <ProblemAlert error={run.error} takesFocus />}
      <StepFooter
        back={
          <LinkButton href={`/migration/${id}/configure`} variant="default">
            Back to configure
          </LinkButton>
        }
        next={
          <Button
            disabled={!migration.connected}
            loading={run.isPending || run.isSuccess}
            onClick={() => run.mutate("run")}
          >
            Start migration
          </Button>
        }
      />
    </Stack>
  );
}

/** What is configured; nothing has run yet. */
function phasesOf(selected: readonly SelectableObject[], saved: Configuration): Migration["phases"] {
  return [...Map.groupBy(selected, ({ object }) => choicesFor(saved, object).phase ?? 1)]
    .toSorted(([one], [other]) => one - other)
    .map(([phase, own]) => ({ phase, status: "open", objects: own.map(({ object }) => object) }));
}

const HOW_IT_RUNS =
  "In this order, every link finds its record. You can close this page meanwhile. Records that an earlier run " +
  "imported are recognized and not imported twice.";

function Plan({ report, saved }: { report: Report; saved: Configuration }) {
  const selected = selectedObjects(report, saved).map(({ item }) => item);
  const records = selected.reduce((sum, item) => sum + (item.count ?? 0), 0);
  const areAllCounted = selected.every(({ count }) => count !== null);
  // The left-out records were counted for a run of all objects. Other choices may change their number.
  const leftOut = selected.flatMap((item) => item.left_out);
  const isWhole = areAllCounted && records === report.estimate.records;
  const sentence = isWhole ? importSentence({ records }, leftOut) : null;
  return (
    <Paper withBorder p={{ base: "lg", sm: "xl" }}>
      <Title order={2}>{recordsBeginning(records, areAllCounted)} will be read</Title>
      <Text c="dimmed" mt={4} maw="40rem">
        {[sentence, duplicatesInWords(saved), HOW_IT_RUNS].filter(Boolean).join(" ")}
      </Text>
      <Box mt="md">
        <NeedsFacts report={report} needs={needsOf(report, saved)} />
      </Box>
      <ol className={classes.plan}>
        {selected.map((item) => (
          <li key={item.object}>
            <span>{objectLabel(item)}</span>
            <Text component="span" size="sm" c="dimmed">
              to{" "}
              {item.resource && isResource(item.resource)
                ? RECORD_NAMES[item.resource].plural.toLowerCase()
                : item.resource}
            </Text>
            <b>{formatCounted(item.count)}</b>
          </li>
        ))}
      </ol>
      {saved.files.copy && (
        <Text c="dimmed" size="sm" mt="md">
          Then the files of the records are copied{filesSentence(report.estimate.files)}.
        </Text>
      )}
    </Paper>
  );
}

function filesSentence(files: Report["estimate"]["files"]): string {
  return files
    ? `: about ${filesFound(files)}, in ${formatEstimate(files.seconds)}. A file that is linked to several records ` +
        "is copied for each of them"
    : "";
}
