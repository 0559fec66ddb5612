import { Button, Group, Stack, Text } from "@mantine/core";
import { type ReactNode, useRef } from "react";

import { ConflictCard } from "@/components/migration/conflicts/conflict-card";
import { type Decision, useConflicts, useDecide } from "@/components/migration/conflicts/use-conflicts";
import { useIssueGroups } from "@/components/migration/migrate/issues/use-issue-groups";
import { Loaded } from "@/components/ui/feedback/loaded";
import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import { LoadMore } from "@/components/ui/layout/load-more";
import { useDialog } from "@/components/ui/overlay/use-dialog";
import { Section } from "@/components/ui/layout/section";
import { Dialog } from "@/components/ui/overlay/dialog";
import { formatCount, formatNumber } from "@/components/ui/text/format";
import type { Conflict, Side } from "@/lib/migration/conflicts/conflict-schema";
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
          <OpenConflicts migration={migration} open={open} decide={decide} more={<LoadMore query={query} />} />
        )
      }
    </Loaded>
  );
}

interface OpenConflictsProps {
  migration: Migration;
  open: readonly Conflict[];
  decide: ReturnType<typeof useDecide>;
  more: ReactNode;
}

function OpenConflicts({ migration, open, decide, more }: OpenConflictsProps) {
  // The buttons of what has been decided disappear, so the title takes the focus.
  const title = useRef<HTMLHeadingElement>(null);
  const send = (decision: Decision) => decide.mutate(decision, { onSuccess: () => title.current?.focus() });
  return (
    <Section title="Conflicts to decide: edited here and in Salesforce" lead={LEAD} titleRef={title}>
      {/* There before its words are: screen readers tell what changes within it. */}
      <output>
        {decide.data && (
          <Text size="sm" component="span" display="block" mb="md">
            {formatCount(decide.data.decided, "record")} decided. {refusedWords(decide.data.refused)}
          </Text>
        )}
      </output>
      <Stack>
        {decide.isError && <ProblemAlert error={decide.error} takesFocus />}
        <TogetherChoices migration={migration} open={open} isPending={decide.isPending} onDecide={send} />
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

const QUESTIONS: Record<Side, { action: string; color?: "rust"; words: string }> = {
  ours: {
    action: "Keep all as they are here",
    words:
      "They stay as people have edited them here. This cannot be taken back: you are asked again only when " +
      "Salesforce has other values.",
  },
  source: {
    action: "Take all from Salesforce",
    color: "rust",
    words:
      "What people have edited here since they were imported is replaced by the values of Salesforce. Only undoing " +
      "the migration brings it back.",
  },
};

type Together = Extract<Decision, { object: SourceObjectName }>;

interface TogetherChoicesProps {
  migration: Migration;
  open: readonly Conflict[];
  isPending: boolean;
  onDecide: (decision: Together) => void;
}

/** One choice for all open conflicts of an object, whether they are shown yet or not. */
function TogetherChoices({ migration, open, isPending, onDecide }: TogetherChoicesProps) {
  const question = useDialog<Together>();
  const objects = [...new Set(open.map(({ object }) => object))];
  return (
    <>
      {objects.map((object) => (
        <Group key={object} gap="sm">
          <Text size="sm" fw={600}>
            All {objectName(object).toLowerCase()}:
          </Text>
          {(["ours", "source"] as const).map((take) => (
            <Button
              key={take}
              variant="default"
              size="xs"
              disabled={isPending}
              onClick={() => question.open({ object, take })}
            >
              {QUESTIONS[take].action}
            </Button>
          ))}
        </Group>
      ))}
      <Dialog
        opened={question.isOpen}
        onClose={question.close}
        title={question.subject && `${QUESTIONS[question.subject.take].action}?`}
      >
        {question.subject && (
          <TogetherQuestion
            migration={migration}
            decision={question.subject}
            onDecide={onDecide}
            onClose={question.close}
          />
        )}
      </Dialog>
    </>
  );
}

interface TogetherQuestionProps extends Pick<TogetherChoicesProps, "migration" | "onDecide"> {
  decision: Together;
  onClose: () => void;
}

export function TogetherQuestion({ migration, decision, onDecide, onClose }: TogetherQuestionProps) {
  const { object, take } = decision;
  const groups = useIssueGroups(migration).data ?? [];
  const waiting = groups.find((group) => group.object === object && group.code === "undecided");
  const { action, color, words } = QUESTIONS[take];
  return (
    <Stack>
      <Text size="sm">
        This decides for all {waiting && formatNumber(waiting.count)} {objectName(object).toLowerCase()} that wait for a
        decision, also for those that are not shown yet. {words}
      </Text>
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onClose} data-autofocus>
          Decide one by one
        </Button>
        <Button
          {...(color && { color })}
          onClick={() => {
            onClose();
            onDecide(decision);
          }}
        >
          {action}
        </Button>
      </Group>
    </Stack>
  );
}
