import { Alert, Button, Stack, Text } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";

import { type Deletion, Problem } from "@/components/api/problem";
import { useRestore } from "@/components/records/deleted/use-restore";
import { RECORD_NAMES } from "@/components/records/record-names";
import { useReferenceName } from "@/components/records/reference-link";
import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import { once } from "@/components/ui/form/once";
import { Moment } from "@/components/ui/text/moment";
import type { ResourceName } from "@/lib/records/schema/resources";

/** What a refusal to show a record knows of its deletion; null where it was never there, or is gone for good. */
export function deletionOf(error: unknown): Deletion | null {
  return error instanceof Problem ? error.deletion : null;
}

interface DeletedRecordProps {
  resource: ResourceName;
  id: string;
  deletion: Deletion;
}

/** In place of a deleted record: when it was deleted and by whom, and a button that restores it. */
export function DeletedRecord({ resource, id, deletion }: DeletedRecordProps) {
  const { deleted_at: at, deleted_by_id: by, restorable_until: until, is_part: isPart } = deletion;
  const person = useReferenceName("users", by);
  const restore = useRestore(resource, id);
  const noun = RECORD_NAMES[resource].singular.toLowerCase();
  return (
    <Alert color="amber" role="alert" title={`This ${noun} was deleted`} icon={<IconTrash aria-hidden />}>
      <Stack gap="sm" align="flex-start">
        <Text size="sm">
          <Moment iso={at} />
          {person && (
            <>
              , by <bdi>{person}</bdi>
            </>
          )}
          .{" "}
          {isPart ? (
            "It was deleted with the record that it belongs to, and comes back when that one is restored."
          ) : (
            <>
              It can be restored until <Moment iso={until} />, with all that went with it.
            </>
          )}
        </Text>
        {restore.isError && <ProblemAlert error={restore.error} takesFocus />}
        {!isPart && (
          <Button size="xs" variant="default" loading={restore.isPending} onClick={once(() => restore.mutate())}>
            Restore it
          </Button>
        )}
      </Stack>
    </Alert>
  );
}
