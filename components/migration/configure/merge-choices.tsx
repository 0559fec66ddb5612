import { Button, Group, Stack, Text } from "@mantine/core";
import { IconUsers } from "@tabler/icons-react";

import { ChangeList } from "@/components/migration/configure/draft/change-list";
import type { Merge } from "@/components/migration/configure/draft/changes";
import { FocusedAlert } from "@/components/ui/feedback/focused-alert";

interface MergeChoicesProps {
  merge: Merge;
  onMerge: (winner: "mine" | "theirs") => void;
}

/**
 * Says that somebody else has saved other choices meanwhile, and which. The reader goes on from those: what only one
 * of the two has changed stays, and for what both have changed the reader says whose it is.
 */
export function MergeChoices({ merge: { theirs, contested }, onMerge }: MergeChoicesProps) {
  return (
    <FocusedAlert
      role="alert"
      color="amber"
      title="Somebody has changed this configuration meanwhile"
      icon={<IconUsers aria-hidden />}
    >
      <Stack gap="sm">
        <Text size="sm">Your changes are not saved yet. Theirs are:</Text>
        <ChangeList changes={theirs} />
        {contested.length > 0 && (
          <>
            <Text size="sm">You have changed these as well:</Text>
            <ChangeList changes={contested} />
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
    </FocusedAlert>
  );
}
