import { Button, Group, Stack, Text } from "@mantine/core";
import { type ReactNode, useRef } from "react";

import { ConflictCard } from "@/components/migration/conflicts/conflict-card";
import { type Decision, useConflicts, useDecide } from "@/components/migration/conflicts/use-conflicts";
import { Loaded } from "@/components/ui/feedback/loaded";
import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import { LoadMore } from "@/components/ui/layout/load-more";
import { useDialog } from "@/components/ui/overlay/use-dialog";
import { Section } from "@/components/ui/layout/section";
import { Dialog } from "@/components/ui/overlay/dialog";
import { formatCount } from "@/components/ui/text/format";
import type { Conflict } from "@/lib/migration/conflicts/conflict-schema";
import type { Migration } from "@/lib/migration/migration-schema";
import { type SourceObjectName, objectName } from "@/lib/migration/objects/source-object-names";

const LEAD =
  "Somebody edited these records here since they were imported, and Salesforce has other values. Each stays as it is " +
  "here until you decide which values to take.";

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
    <Section title="Conflicts to decide: edited here and in Salesforce" lead={LEAD} titleRef={title}>
      <Stack>
        {decide.isError && <ProblemAlert error={decide.error} takesFocus />}
        {decide.data && (
          <Text size="sm" component="output">
            {formatCount(decide.data.decided, "record")} decided. {refusedWords(decide.data.refused)}
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

function refusedWords(refused: readonly { detail: string }[]): string {
  const [first] = refused;
  return first ? `${formatCount(refused.length, "record")} not: ${first.detail}` : "";
}

interface TogetherChoicesProps {
  open: readonly Conflict[];
  isPending: boolean;
  onDecide: (decision: Decision) => void;
}

/** One choice for all open conflicts of an object, whether they are shown yet or not. */
function TogetherChoices({ open, isPending, onDecide }: TogetherChoicesProps) {
  const question = useDialog<SourceObjectName>();
  const objects = [...new Set(open.map(({ object }) => object))];
  return (
    <>
      {objects.map((object) => (
        <Group key={object} gap="sm">
          <Text size="sm" fw={600}>
            All {objectName(object).toLowerCase()}:
          </Text>
          <Button variant="default" size="xs" disabled={isPending} onClick={() => onDecide({ object, take: "ours" })}>
            Keep all as they are here
          </Button>
          <Button variant="default" size="xs" disabled={isPending} onClick={() => question.open(object)}>
            Take all from Salesforce
          </Button>
        </Group>
      ))}
      <Dialog opened={question.isOpen} onClose={question.close} title="Take all from Salesforce?">
        {question.subject && <TakeAllQuestion object={question.subject} onDecide={onDecide} onClose={question.close} />}
      </Dialog>
    </>
  );
}

interface TakeAllQuestionProps {
  object: SourceObjectName;
  onDecide: (decision: Decision) => void;
  onClose: () => void;
}

function TakeAllQuestion({ object, onDecide, onClose }: TakeAllQuestionProps) {
  const take = () => {
    onClose();
    onDecide({ object, take: "source" });
  };
  return (
    <Stack>
      <Text size="sm">
        What people have edited here in these {objectName(object).toLowerCase()} since they were imported is replaced by
        the values of Salesforce, also in those that are not shown yet. Only undoing the migration brings it back.
      </Text>
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onClose} data-autofocus>
          Keep what is here
        </Button>
        <Button color="rust" onClick={take}>
          Take all from Salesforce
        </Button>
      </Group>
    </Stack>
  );
}
