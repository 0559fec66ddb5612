import { Alert, Button, Group, List, Stack, Text } from "@mantine/core";
import { IconUsers } from "@tabler/icons-react";
import { useEffect, useRef } from "react";

import { describeChange } from "@/components/migration/configure/draft/change-words";
import type { Change, Merge } from "@/components/migration/configure/draft/changes";

const MAX_SHOWN = 8;

interface ChangedMeanwhileProps {
  merge: Merge;
  onMerge: (winner: "mine" | "theirs") => void;
}

/**
 * Says that somebody else has saved other choices meanwhile, and which. The reader goes on from those: what only one
 * of the two has changed stays, and for what both have changed the reader says whose it is.
 */
export function ChangedMeanwhile({ merge: { theirs, contested }, onMerge }: ChangedMeanwhileProps) {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => ref.current?.focus(), []);
  return (
    <Alert
      ref={ref}
      tabIndex={-1}
      role="alert"
      color="amber"
      title="Somebody has changed this configuration meanwhile"
      icon={<IconUsers aria-hidden />}
    >
      <Stack gap="sm">
        <Text size="sm">Your changes are not saved yet. Theirs are:</Text>
        <Sentences changes={theirs} />
        {contested.length > 0 && (
          <>
            <Text size="sm">You have changed these as well:</Text>
            <Sentences changes={contested} />
          </>
        )}
        <Group gap="sm">
          <Button size="xs" onClick={() => onMerge("mine")}>
            {contested.length > 0 ? "Take over the rest, keep mine for these" : "Take over their changes"}
          </Button>
          {contested.length > 0 && (
            <Button size="xs" variant="default" onClick={() => onMerge("theirs")}>
              Take theirs for these
            </Button>
          )}
        </Group>
      </Stack>
    </Alert>
  );
}

function Sentences({ changes }: { changes: readonly Change[] }) {
  const sentences = [...new Set(changes.map(describeChange))];
  return (
    <List size="sm">
      {sentences.slice(0, MAX_SHOWN).map((sentence) => (
        <List.Item key={sentence}>{sentence}</List.Item>
      ))}
      {sentences.length > MAX_SHOWN && <List.Item>and {sentences.length - MAX_SHOWN} more</List.Item>}
    </List>
  );
}
