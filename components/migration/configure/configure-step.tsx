"use client";

import { Alert, List, Stack } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useRouter } from "next/navigation";
import { useMemo } from "react";

import { isOutdated } from "@/components/api/problem";
import type { Tagged } from "@/components/api/request";
import { MergeChoices } from "@/components/migration/configure/merge-choices";
import { ConfigureFooter } from "@/components/migration/configure/configure-footer";
import { ConfigureParts } from "@/components/migration/configure/configure-parts";
import { obstaclesIn } from "@/components/migration/configure/draft/choices";
import { EditingContext, useDraft, useEditing } from "@/components/migration/configure/draft/use-draft";
import { LockedNote } from "@/components/migration/configure/locked-note";
import {
  useMigration,
  useReport,
  useSaveConfiguration,
  useTaggedConfiguration,
} from "@/components/migration/use-migration";
import { LeaveGuard } from "@/components/ui/leave/leave-guard";
import { leaveFor } from "@/components/ui/leave/leaving";
import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import { RowsSkeleton } from "@/components/ui/feedback/rows-skeleton";
import type { Configuration } from "@/lib/migration/configuration/configuration-schema";
import { isLocked } from "@/lib/migration/configuration/locked-statuses";
import type { Migration } from "@/lib/migration/migration-schema";
import type { Report } from "@/lib/migration/report/report-schema";

interface ConfigureStepProps {
  id: string;
  isAdmin: boolean;
  /** Whether the service has a place for files. */
  keepsFiles: boolean;
}

/** Step four: what is migrated, and what becomes of it. */
export function ConfigureStep({ id, ...viewed }: ConfigureStepProps) {
  const report = useReport(id);
  const saved = useTaggedConfiguration(id);
  const { data: migration } = useMigration(id);
  // What cannot be read again is still there: the choices that the reader has made over it stay.
  if (report.isError && !report.data)
    return <ProblemAlert error={report.error} onRetry={() => void report.refetch()} />;
  if (saved.isError && !saved.data) return <ProblemAlert error={saved.error} onRetry={() => void saved.refetch()} />;
  if (!report.data || !saved.data || !migration) return <RowsSkeleton label="Loading the configuration" />;
  return (
    <Configure
      migration={migration}
      report={report.data}
      saved={saved.data}
      {...viewed}
      isReading={saved.isFetching}
      onStale={() => saved.refetch()}
    />
  );
}

interface ConfigureProps extends Omit<ConfigureStepProps, "id"> {
  migration: Migration;
  report: Report;
  saved: Tagged<Configuration>;
  /** The saved choices are being read again. */
  isReading: boolean;
  /** Reads the saved choices again. */
  onStale: () => Promise<unknown>;
}

/** The choices, which are saved by a button. While the migration runs, and once it is undone, they are read-only. */
function Configure({ migration, report, saved: read, isReading, onStale, isAdmin, keepsFiles }: ConfigureProps) {
  const { base, draft, changes, meanwhile, change, merge, discard, rebase, isStill } = useDraft(read);
  const router = useRouter();
  const save = useSaveConfiguration(migration.migration_id);
  const { value: saved, tag } = base;
  const isReadOnly = isLocked(migration.status);
  const isChanged = changes.length > 0;
  const obstacles = useMemo(() => obstaclesIn(report, draft), [report, draft]);
  const editing = useMemo(
    () => ({ migration, report, isAdmin, keepsFiles, draft, saved, tag, isLocked: isReadOnly, isChanged, change }),
    [migration, report, isAdmin, keepsFiles, draft, saved, tag, isReadOnly, isChanged, change],
  );
  const path = `/migration/${migration.migration_id}/migrate`;
  const goOn = () => router.push(path);
  const saveAll = (goesOn = false) =>
    save.mutate(
      { value: draft, tag },
      {
        onSuccess: (now) => {
          rebase(now);
          if (goesOn && isStill(draft)) goOn();
        },
        onError: (error) => void (isOutdated(error) && onStale()),
      },
    );

  return (
    <EditingContext value={editing}>
      <Stack gap="lg">
        <LockedNote status={migration.status} />
        {meanwhile && !save.isPending && <MergeChoices merge={meanwhile} onMerge={merge} />}
        <ConfigureParts />
        {obstacles.length > 0 && <Obstacles obstacles={obstacles} />}
        <SaveRefusal save={save} isTold={meanwhile !== null || isReading} onStale={onStale} />
        <ConfigureFooter
          count={changes.length}
          isPossible={obstacles.length === 0 && meanwhile === null}
          save={save}
          onSave={saveAll}
          onDiscard={discard}
          onContinue={() => leaveFor(path, goOn)}
        />
        <LeaveGuard isUnsaved={isChanged} what="Your changes to the configuration" />
      </Stack>
    </EditingContext>
  );
}

interface SaveRefusalProps {
  save: { error: unknown; variables: Pick<Tagged<Configuration>, "tag"> | undefined };
  /** `MergeChoices` tells that somebody else has saved, or will once that is read. */
  isTold: boolean;
  onStale: () => unknown;
}

/** Why the changes were not saved. */
export function SaveRefusal({ save: { error, variables }, isTold, onStale }: SaveRefusalProps) {
  const { isChanged, tag } = useEditing();
  if (!isChanged || !error) return null;
  if (!isOutdated(error)) return <ProblemAlert error={error} takesFocus />;
  // The reader has gone on from what was saved since.
  if (isTold || variables?.tag !== tag) return null;
  return <ProblemAlert error={error} onRetry={onStale} takesFocus />;
}

/** What is in the way of saving. */
function Obstacles({ obstacles }: { obstacles: readonly string[] }) {
  return (
    <Alert color="rust" icon={<IconAlertTriangle aria-hidden />} title="These choices cannot be saved yet" role="alert">
      <List size="sm">
        {obstacles.map((sentence) => (
          <List.Item key={sentence}>{sentence}</List.Item>
        ))}
      </List>
    </Alert>
  );
}
