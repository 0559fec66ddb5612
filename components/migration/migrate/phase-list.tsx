import { Badge, Button, Group, Stack, Text } from "@mantine/core";

import { useControl } from "@/components/migration/control/use-control";
import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import { Section } from "@/components/ui/layout/section";
import type { Migration } from "@/lib/migration/migration-schema";
import { objectName } from "@/lib/migration/objects/source-object-names";

type Phase = Migration["phases"][number];

const STATUSES: Record<Phase["status"], { label: string; color: string }> = {
  open: { label: "Not run yet", color: "gray" },
  running: { label: "Running", color: "sky" },
  done: { label: "Done", color: "pine" },
  failed: { label: "Not finished", color: "rust" },
};

interface PhaseListProps {
  migration: Pick<Migration, "migration_id" | "connected">;
  phases: readonly Phase[];
  /** On the button that runs all phases. */
  runAll: string;
}

/** The phases of a migration, each with the button that runs it alone. A single phase needs no explanation. */
export function PhaseList({ migration: { migration_id: id, connected }, phases, runAll }: PhaseListProps) {
  const run = useControl(id);
  if (phases.length < 2) return null;
  return (
    <Section
      title="Phases"
      lead={`A phase is a group of objects that you migrate together. Run one alone, or all by “${runAll}”.`}
    >
      <Stack gap="sm">
        {run.isError && <ProblemAlert error={run.error} takesFocus />}
        {phases.map(({ phase, status, objects }) => (
          <Group key={phase} justify="space-between" gap="sm">
            <Text size="sm" flex={1} miw="12rem">
              <b>Phase {phase}:</b> {new Intl.ListFormat("en").format(objects.map(objectName))}
            </Text>
            <Badge color={STATUSES[status].color}>{STATUSES[status].label}</Badge>
            <Button
              variant="default"
              size="xs"
              disabled={!connected || run.isPending || run.isSuccess}
              onClick={() => run.mutate({ phase })}
            >
              Run phase {phase}
            </Button>
          </Group>
        ))}
      </Stack>
    </Section>
  );
}
