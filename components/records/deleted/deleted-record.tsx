import { Alert, Button, Stack, Text } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";

import { type Deletion, Problem } from "@/components/api/problem";
import { OtherRecord } from "@/components/records/deleted/restore-record";
import { useRestore } from "@/components/records/deleted/use-restore";
import { shownName } from "@/components/records/record";
import { RECORD_NAMES } from "@/components/records/record-names";
import { MigrationLink, useReferenceName } from "@/components/records/reference-link";
import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import { once } from "@/components/ui/form/once";
import { TextLink } from "@/components/ui/text/links";
import { Moment } from "@/components/ui/text/moment";
import { ENTITIES } from "@/lib/records/schema/registry";
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

/** What stands in place of a deleted record: when and by whom or what it was deleted, and a button that restores it. */
export function DeletedRecord({ resource, id, deletion }: DeletedRecordProps) {
  const { name, deleted_at: at, restorable_until: until, belongs_to: whole } = deletion;
  const restore = useRestore(resource, id);
  const noun = RECORD_NAMES[resource].singular.toLowerCase();
  return (
    <Alert color="amber" role="alert" title={`This ${noun} was deleted`} icon={<IconTrash aria-hidden />}>
      <Stack gap="sm" align="flex-start">
        <Text fw={600}>
          <bdi>{shownName(name)}</bdi>
        </Text>
        <Text size="sm">
          Deleted <Moment iso={at} />
          {deletion.migration_id ? (
            <>
              , by <MigrationLink id={deletion.migration_id} underline="always" />
            </>
          ) : (
            <By person={deletion.deleted_by_id} />
          )}
          .{" "}
          {whole ? (
            <Whole whole={whole} isPart={deletion.is_part} />
          ) : (
            <>
              It can be restored until <Moment iso={until} />, with all that went with it.
            </>
          )}
        </Text>
        {restore.isError && (
          <ProblemAlert error={restore.error} takesFocus>
            <OtherRecord error={restore.error} />
          </ProblemAlert>
        )}
        {!whole && (
          <Button size="xs" variant="default" loading={restore.isPending} onClick={once(() => restore.mutate())}>
            Restore it
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

function By({ person: id }: { person: string }) {
  const name = useReferenceName("users", id);
  return (
    name && (
      <>
        , by <bdi>{name}</bdi>
      </>
    )
  );
}

/** What is to be restored first. */
function Whole({ whole: { resource, id }, isPart }: { whole: NonNullable<Deletion["belongs_to"]>; isPart: boolean }) {
  const { label } = ENTITIES[resource];
  return (
    <>
      The{" "}
      <TextLink href={`/${resource}/${id}`} underline="always" inherit>
        {label} that it belongs to
      </TextLink>{" "}
      was deleted, too. {isPart ? "It comes back when that one is restored." : "Restore that one first."}
    </>
  );
}
