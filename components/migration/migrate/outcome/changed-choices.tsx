import { Alert, Button, Stack, Text } from "@mantine/core";
import { IconAdjustments } from "@tabler/icons-react";

import { useControl } from "@/components/migration/control/use-control";
import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import type { Migration } from "@/lib/migration/migration-schema";
import { objectName } from "@/lib/migration/objects/source-object-names";

/** Says whose records earlier choices made, and offers the run that applies the present ones to all. */
export function ChangedChoices({ migration }: { migration: Migration }) {
  const { migration_id: id, connected, objects } = migration;
  const run = useControl(id);
  const changed = objects.filter(({ choices_changed: isChanged }) => isChanged).map(({ object }) => objectName(object));
  if (changed.length === 0) return null;
  return (
    <Alert color="amber" title="Choices were changed since the last full run" icon={<IconAdjustments aria-hidden />}>
      <Stack gap="md" align="flex-start">
        <Text size="sm">
          This concerns {new Intl.ListFormat("en").format(changed)}: what is here follows the earlier choices, and a
          delta or a retry applies the new ones only to the records that it reads. Run the migration again to apply them
          to all. Nothing is imported twice.
        </Text>
        {run.isError && <ProblemAlert error={run.error} takesFocus />}
        <Button
          variant="default"
          size="xs"
          disabled={!connected}
          loading={run.isPending}
          onClick={() => run.mutate("run")}
        >
          Run again
        </Button>
      </Stack>
    </Alert>
  );
}
