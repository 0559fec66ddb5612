import { Button, Group, NativeSelect, Stack, Text } from "@mantine/core";
import { useRef, useState } from "react";

import { useControl } from "@/components/migration/control/use-control";
import { canBegin, whyNotWhole } from "@/components/migration/delta/deltas";
import { useSchedule } from "@/components/migration/delta/use-schedule";
import { changesOf } from "@/components/migration/history/history-words";
import { totalCounts } from "@/components/migration/migrate/progress/progress";
import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import { Fact, Facts } from "@/components/ui/layout/facts";
import { Section } from "@/components/ui/layout/section";
import { formatInterval, inWords } from "@/components/ui/text/format";
import { Moment } from "@/components/ui/text/moment";
import type { Migration } from "@/lib/migration/migration-schema";

const LEAD =
  "Until you work here alone, people still change records in Salesforce. A delta imports what was created, " +
  "changed or deleted there since the last run.";

/** Why no delta can begin, and what to do. */
function obstacleOf(migration: Migration): string {
  return (
    `${whyNotWhole(migration)}, so no delta can start, not even by its schedule. ` +
    "Run the migration again, or stop the schedule."
  );
}

/** Keeps what is here up to date with Salesforce, until the cut-over. */
export function DeltaPanel({ migration }: { migration: Migration }) {
  const delta = useControl(migration.migration_id);
  const title = useRef<HTMLHeadingElement>(null);
  return (
    <Section
      title="Keep up to date with Salesforce"
      titleRef={title}
      lead={LEAD}
      action={
        <Button
          disabled={!migration.connected || !canBegin(migration)}
          loading={delta.isPending}
          onClick={() => delta.mutate("delta")}
        >
          Bring up to date now
        </Button>
      }
    >
      <Stack>
        {delta.isError && <ProblemAlert error={delta.error} takesFocus />}
        {!canBegin(migration) && <Text size="sm">{obstacleOf(migration)}</Text>}
        <Facts>
          <Fact label="Last run started">
            {migration.started_at === null ? "never" : <Moment iso={migration.started_at} />}
          </Fact>
          {migration.run_kind === "delta" && <Fact label="The last delta">{changesOf(totalCounts(migration))}</Fact>}
          <Fact label="Next delta">
            {migration.delta_schedule === null ? "not scheduled" : <Moment iso={migration.delta_schedule.next_at} />}
          </Fact>
        </Facts>
        <Schedule migration={migration} onChanged={() => title.current?.focus()} />
      </Stack>
    </Section>
  );
}

const CHOICES = [15, 30, 60, 240, 720, 1440];

const DEFAULT_MINUTES = 60;

const EXPIRES =
  " The access token of this connection is not renewed: when it expires, the next delta pauses until the org is " +
  "connected again.";

function sentenceOf({ delta_schedule: schedule, connected, renewable }: Migration): string {
  const expires = connected && !renewable ? EXPIRES : "";
  if (schedule === null) return `No delta starts by itself.${expires}`;
  return (
    `A delta starts by itself ${formatInterval(schedule.every_minutes)}. Stop the schedule at the cut-over, ` +
    `when nobody works in Salesforce any more.${expires}`
  );
}

interface ScheduleProps {
  migration: Migration;
  /** The button that was pressed can no longer be used, or is gone. */
  onChanged: () => void;
}

/** Starts deltas by themselves, or stops it. */
function Schedule({ migration, onChanged }: ScheduleProps) {
  const { delta_schedule: schedule, connected } = migration;
  const schedules = useSchedule(migration.migration_id);
  const change = (every: number | null) => schedules.mutate(every, { onSuccess: onChanged });
  const [minutes, setMinutes] = useState(schedule?.every_minutes ?? DEFAULT_MINUTES);
  const isSame = schedule?.every_minutes === minutes;
  return (
    <>
      {schedules.isError && <ProblemAlert error={schedules.error} takesFocus />}
      <Group align="flex-end" gap="sm">
        <NativeSelect
          label="Start a delta by itself"
          data={[...new Set([...CHOICES, minutes])].map((value) => ({
            value: String(value),
            label: inWords(formatInterval(value)),
          }))}
          value={String(minutes)}
          onChange={(event) => setMinutes(Number(event.currentTarget.value))}
        />
        <Button
          variant="default"
          disabled={isSame || !connected}
          loading={schedules.isPending && schedules.variables !== null}
          onClick={() => change(minutes)}
        >
          {schedule === null ? "Schedule" : "Change the schedule"}
        </Button>
        {schedule !== null && (
          <Button
            variant="default"
            loading={schedules.isPending && schedules.variables === null}
            onClick={() => change(null)}
          >
            Stop the schedule
          </Button>
        )}
      </Group>
      <Text size="sm" c="dimmed" component="output">
        {sentenceOf(migration)}
      </Text>
    </>
  );
}
