import { Button, Group, Stack, Text } from "@mantine/core";
import { type ReactNode, useRef } from "react";

import { ConflictCard } from "@/components/migration/conflicts/conflict-card";
import { type Decision, useConflicts, useDecide } from "@/components/migration/conflicts/use-conflicts";
import { Loaded } from "@/components/ui/feedback/loaded";
import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import { LoadMore } from "@/components/ui/layout/load-more";
import { Section } from "@/components/ui/layout/section";
import { formatCount } from "@/components/ui/text/format";
import type { Conflict } from "@/lib/migration/conflicts/conflict-schema";
import type { Migration } from "@/lib/migration/migration-schema";
import { objectName } from "@/lib/migration/objects/migrated-objects";

const LEAD =
  "Somebody edited these records here since they were imported, and Salesforce has other values. They stay as they " +
  "are until you decide.";

/** Records that were edited here and differ in Salesforce, to decide one by one or together. */
export function ConflictList({ migration }: { migration: Migration }) {
  const query = useConflicts(migration);
  const decide = useDecide(migration.migration_id);
  return (
    <Loaded query={query} loading="Looking for records that were edited here">
      {(open) =>
        open.length + (decide.isSuccess ? 1 : 0) > 0 && (
          <OpenConflicts open={open} decide={decide} more={<LoadMore query={query} />} />
        )
      }
    </Loaded>
  );
}

interface OpenConflictsProps {
  open: readonly Conflict[];
  decide: ReturnType<typeof useDecide>;
  more: ReactNode;
}

function OpenConflicts({ open, decide, more }: OpenConflictsProps) {
  // The buttons of what has been decided disappear, so the title takes the focus.
  const title = useRef<HTMLHeadingElement>(null);
  const send = (decision: Decision) => decide.mutate(decision, { onSuccess: () => title.current?.focus() });
  return (
    <Section title="Edited here and in Salesforce" lead={LEAD} titleRef={title}>
      <Stack>
        {decide.isError && <ProblemAlert error={decide.error} takesFocus />}
        {decide.data && (
          <Text size="sm" component="output">
            {formatCount(decide.data.decided, "record")} decided. {decide.data.not_decided[0]?.detail}
          </Text>
        )}
        <TogetherChoices open={open} isPending={decide.isPending} onDecide={send} />
        {open.map((conflict) => (
          <ConflictCard
            key={conflict.id}
            conflict={conflict}
            isPending={decide.isPending}
            onDecide={(fields) => send({ ids: [conflict.id], take: "ours", fields })}
          />
        ))}
        {more}
      </Stack>
    </Section>
  );
}

interface TogetherChoicesProps {
  open: readonly Conflict[];
  isPending: boolean;
  onDecide: (decision: Decision) => void;
}

/** One choice for all open conflicts of an object, whether they are shown yet or not. */
function TogetherChoices({ open, isPending, onDecide }: TogetherChoicesProps) {
  const objects = [...new Set(open.map(({ object }) => object))];
  return objects.map((object) => (
    <Group key={object} gap="sm">
      <Text size="sm" fw={600}>
        All {objectName(object).toLowerCase()}:
      </Text>
      <Button variant="default" size="xs" disabled={isPending} onClick={() => onDecide({ object, take: "ours" })}>
        Keep all as they are here
      </Button>
      <Button variant="default" size="xs" disabled={isPending} onClick={() => onDecide({ object, take: "source" })}>
        Take all from Salesforce
      </Button>
    </Group>
  ));
}
