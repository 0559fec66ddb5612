import { Alert, Button, Stack, Text, Title } from "@mantine/core";
import { IconLock } from "@tabler/icons-react";
import { useRouter } from "next/navigation";
import { useState } from "react";

import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import { choicesFor } from "@/components/migration/configure/draft";
import { ObjectChoice } from "@/components/migration/configure/object-choice";
import { SendEventsChoice } from "@/components/migration/configure/send-events-choice";
import { SharedTargetAlert } from "@/components/migration/configure/shared-target-alert";
import { useSaveConfiguration } from "@/components/migration/use-migration";
import type { Configuration } from "@/lib/migration/configuration/configuration-schema";
import { sharedTargets } from "@/lib/migration/configuration/mapping-rules";
import type { Migration } from "@/lib/migration/migration-schema";
import { isMigrated, type MigratedObjectName } from "@/lib/migration/objects/migrated-objects";
import type { Report } from "@/lib/migration/report/report-schema";
import { isUnderWay } from "@/components/migration/wizard/migration-statuses";
import { StepFooter } from "@/components/migration/wizard/step-footer";
import { LinkButton } from "@/components/ui/text/link-button";

interface ConfigurationFormProps {
  migration: Migration;
  report: Report;
  saved: Configuration;
}

/** The form of the choices, which are saved by a button. While the migration runs they are read-only. */
export function ConfigurationForm({ migration, report, saved }: ConfigurationFormProps) {
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
    item.status === "automatic" && isMigrated(item.object) ? [{ item, object: item.object }] : [],
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
