"use client";

import { Alert, Button, Stack, Text, Title, Checkbox, Paper, List } from "@mantine/core";
import { IconLock, IconAlertTriangle } from "@tabler/icons-react";
import { useRouter } from "next/navigation";
import { useState } from "react";

import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import { RowsSkeleton } from "@/components/ui/feedback/rows-skeleton";
import { useConfiguration, useReport, useMigration, useSaveConfiguration } from "@/components/migration/use-migration";
import { choicesFor } from "@/components/migration/configure/draft";
import { ObjectChoice } from "@/components/migration/configure/object-choice";
import type { Configuration } from "@/lib/migration/configuration/configuration-schema";
import { sharedTargets } from "@/lib/migration/configuration/mapping-rules";
import type { Migration } from "@/lib/migration/migration-schema";
import {
  isMigrated,
  isSelectable,
  type MigratedObjectName,
  objectName,
} from "@/lib/migration/objects/migrated-objects";
import type { Report } from "@/lib/migration/report/report-schema";
import { isUnderWay } from "@/components/migration/wizard/migration-statuses";
import { StepFooter } from "@/components/migration/wizard/step-footer";
import { LinkButton } from "@/components/ui/text/link-button";
import classes from "@/components/migration/configure/configure-step.module.css";
import { MAX_IMPORT_DELIVERIES_PER_SECOND } from "@/lib/webhooks/deliveries/delivery-schema";
import { targetLabel } from "@/components/migration/report/findings";

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

interface ConfigurationFormProps {
  migration: Migration;
  report: Report;
  saved: Configuration;
}

/** The form of the choices, which are saved by a button. While the migration runs they are read-only. */
function ConfigurationForm({ migration, report, saved }: ConfigurationFormProps) {
  const [draft, setDraft] = useState(saved);
  const [open, setOpen] = useState<MigratedObjectName | null>(null);
  const router = useRouter();
  const save = useSaveConfiguration(migration.migration_id);
  const isLocked = isUnderWay(migration.status);
  const objects = selectable(report);
  const shared = objects.flatMap(({ object }) =>
    sharedTargets(choicesFor(draft, object).fields).map(([target]) => ({ object, target })),
  );
  const nothingSelected = objects.every(({ object }) => !choicesFor(draft, object).selected);

  return (
    <Stack gap="lg">
      <Heading hasRun={migration.run_number > 0} />
      {isLocked && <LockedNote />}
      <Stack gap="sm">
        {objects.map(({ item, object }) => (
          <ObjectChoice
            key={object}
            object={object}
            report={item}
            draft={draft}
            isLocked={isLocked}
            isOpen={open === object}
            onToggle={() => setOpen(open === object ? null : object)}
            onChange={setDraft}
          />
        ))}
      </Stack>
      <SendEventsChoice draft={draft} isLocked={isLocked} onChange={setDraft} />
      {shared.length > 0 && <SharedTargetAlert shared={shared} />}
      {nothingSelected && <Alert color="amber">Select at least one object to migrate.</Alert>}
      {save.isError && <ProblemAlert error={save.error} takesFocus />}
      <Footer
        migration={migration}
        isLocked={isLocked}
        isPossible={shared.length === 0 && !nothingSelected}
        isBusy={save.isPending || save.isSuccess}
        onSave={() => save.mutate(draft, { onSuccess: () => router.push(migrateStep(migration)) })}
      />
    </Stack>
  );
}

function selectable({ inventory }: Report) {
  return inventory.flatMap((item) =>
    isSelectable(item.status) && isMigrated(item.object) ? [{ item, object: item.object }] : [],
  );
}

function migrateStep(migration: Migration): string {
  return `/migration/${migration.migration_id}/migrate`;
}

interface FooterProps {
  migration: Migration;
  isLocked: boolean;
  isPossible: boolean;
  isBusy: boolean;
  onSave: () => void;
}

function Footer({ migration, isLocked, isPossible, isBusy, onSave }: FooterProps) {
  const save = (
    <Button disabled={!isPossible} loading={isBusy} onClick={onSave}>
      {migration.run_number > 0 ? "Save for the next run" : "Save and continue"}
    </Button>
  );
  return (
    <StepFooter
      promisesNothingWritten={migration.run_number === 0}
      back={
        <LinkButton href={`/migration/${migration.migration_id}/report`} variant="default">
          Back to the report
        </LinkButton>
      }
      next={isLocked ? <LinkButton href={migrateStep(migration)}>Back to the progress</LinkButton> : save}
    />
  );
}

const SUGGESTED =
  "Every field has a suggestion, so you can go on without changing anything. Values that fit no field are kept as " +
  "custom fields of the record.";
const HAS_RUN =
  "What you change counts from the next run on, which also brings the records that are here into line with it.";

function Heading({ hasRun }: { hasRun: boolean }) {
  return (
    <div>
      <Title order={2}>What is migrated</Title>
      <Text c="dimmed" size="sm">
        {hasRun ? HAS_RUN : SUGGESTED}
      </Text>
    </div>
  );
}

function LockedNote() {
  return (
    <Alert color="sky" icon={<IconLock aria-hidden />} title="The migration is running">
      It works with these choices. You can change them for the next run once this one has ended.
    </Alert>
  );
}

interface SendEventsChoiceProps {
  draft: Configuration;
  isLocked: boolean;
  onChange: (draft: Configuration) => void;
}

const SENT =
  "Webhooks then get an event for each record that is created or changed, as if somebody had done it here. " +
  `Each webhook gets at most ${MAX_IMPORT_DELIVERIES_PER_SECOND} events a second, so many records take a while. ` +
  "Without a tick, nothing is sent.";

/** Whether webhooks get events of imported records. */
function SendEventsChoice({ draft, isLocked, onChange }: SendEventsChoiceProps) {
  return (
    <Stack gap="sm">
      <Title order={2}>Notifications</Title>
      <Paper withBorder py="md" px="lg">
        <Checkbox
          checked={draft.send_events}
          disabled={isLocked}
          onChange={(event) => onChange({ ...draft, send_events: event.currentTarget.checked })}
          label="Send events of imported records to webhooks"
          description={SENT}
          classNames={{ label: classes.label, description: classes.description }}
        />
      </Paper>
    </Stack>
  );
}

/** Lists the targets that were chosen for two fields. */
function SharedTargetAlert({ shared }: { shared: readonly { object: MigratedObjectName; target: string }[] }) {
  return (
    <Alert
      color="rust"
      icon={<IconAlertTriangle aria-hidden />}
      title="Two fields cannot go to the same place"
      role="alert"
    >
      <List size="sm">
        {shared.map(({ object, target }) => (
          <List.Item key={`${object} ${target}`}>
            {objectName(object)}: “{targetLabel(target)}” is chosen twice. Give one of the two fields another target.
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}
