import { Button, List, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation, useQueries, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";

import { isOutdated } from "@/components/api/problem";
import { queryKeys } from "@/components/api/query-keys";
import { getJson, sendJson } from "@/components/api/request";
import { restoreRecord } from "@/components/records/deleted/restore-record";
import { type AnyRecord, titleOf } from "@/components/records/record";
import { formatRecords, RECORD_NAMES } from "@/components/records/record-names";
import { recordsChanged } from "@/components/records/records-changed";
import { showUndo } from "@/components/ui/feedback/show-undo";
import { Confirm } from "@/components/ui/form/confirm";
import { isOtherPage, leaveFor } from "@/components/ui/leave/leaving";
import { Dialog } from "@/components/ui/overlay/dialog";
import { formatMoment } from "@/components/ui/text/format";
import { type Relation, relationsTo } from "@/lib/records/schema/registry";
import type { ResourceName } from "@/lib/records/schema/resources";

interface DeleteRecordProps {
  resource: ResourceName;
  item: AnyRecord;
}

/** A button that deletes a record, after it has said what goes with it. */
export function DeleteRecord({ resource, item }: DeleteRecordProps) {
  const [opened, { open, close }] = useDisclosure();
  const noun = RECORD_NAMES[resource].singular.toLowerCase();
  return (
    <>
      <Button variant="default" onClick={open}>
        Delete
      </Button>
      <Dialog opened={opened} onClose={close} title={`Delete this ${noun}?`}>
        <Question resource={resource} item={item} onCancel={close} />
      </Dialog>
    </>
  );
}

function Question({ resource, item, onCancel }: DeleteRecordProps & { onCancel: () => void }) {
  const remove = useDelete(resource, item);
  return (
    <Confirm
      mutation={remove}
      action="Delete it"
      cancel="Keep it"
      onConfirm={() => remove.mutate()}
      onCancel={onCancel}
    >
      <Text size="sm">
        <bdi>{titleOf(resource, item)}</bdi> can be restored for 30 days, from “Deleted records”, with all that goes
        with it.
      </Text>
      <WhatRefersToIt resource={resource} id={item.id} />
    </Confirm>
  );
}

/** How many records of each kind are deleted with it, or lose their link to it. */
export function WhatRefersToIt({ resource, id }: { resource: ResourceName; id: string }) {
  const { counts, isPending, isError } = useCounts(resource, id);
  return (
    <>
      {counts.length > 0 && (
        <List size="sm">
          {counts.map(({ relation, total }) => (
            <List.Item key={`${relation.from.resource} ${relation.field}`}>{effectOn(relation, total)}</List.Item>
          ))}
        </List>
      )}
      <Text size="sm" c="dimmed" component="output">
        {isPending && "Counting what refers to it…"}
        {isError && "Not all that refers to it could be counted. More may be deleted with it, or lose its link to it."}
      </Text>
    </>
  );
}

function effectOn({ from, isPart }: Relation, total: number): string {
  const those = formatRecords(from.resource, total);
  if (isPart) return `${those} ${total === 1 ? "is" : "are"} deleted with it.`;
  return `${those} ${total === 1 ? "stays" : "stay"}, without the link to it.`;
}

/** How many records of each kind refer to it, as far as they are counted. */
function useCounts(resource: ResourceName, id: string) {
  const relations = relationsTo(resource);
  return useQueries({
    queries: relations.map(({ from, field }) => ({
      queryKey: queryKeys.records(from.resource, `count: ${field}=${id}`),
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        getJson<{ total: number }>(`/${from.resource}?${field}=${id}&limit=1&include=total`, signal),
    })),
    combine: (results) => ({
      counts: relations.flatMap((relation, index) => {
        const total = results[index]?.data?.total ?? 0;
        return total === 0 ? [] : [{ relation, total }];
      }),
      isPending: results.some((result) => result.isPending),
      isError: results.some((result) => result.isError),
    }),
  });
}

function useDelete(resource: ResourceName, item: AnyRecord) {
  const router = useRouter();
  const queries = useQueryClient();
  const { singular } = RECORD_NAMES[resource];
  const queryKey = queryKeys.record(resource, item.id);
  const path = `/${resource}/${item.id}`;
  const restore = async () => {
    await restoreRecord(resource, item.id);
    queries.removeQueries({ queryKey });
    await recordsChanged(queries);
    leaveFor(path, () => router.push(path));
  };
  return useMutation({
    mutationFn: () => sendJson<{ restorable_until: string }>("DELETE", path, undefined, Number(item.version)),
    onSuccess: ({ restorable_until: until }) => {
      // Unless the reader has left it meanwhile.
      if (!isOtherPage(path)) router.push(`/${resource}`);
      queries.removeQueries({ queryKey });
      // The page that is left would ask for what belongs to the record, which is gone.
      void recordsChanged(queries, "none");
      showUndo({
        title: `${singular} deleted`,
        message: `${titleOf(resource, item)} can be restored until ${formatMoment(until)}.`,
        undo: restore,
        undone: `${singular} restored`,
      });
    },
    // The page then shows it as it is now, and another try is for that.
    onError: (error) => void (isOutdated(error) && queries.invalidateQueries({ queryKey })),
  });
}
