"use client";

import { Paper, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { isOutdated, Problem } from "@/components/api/problem";
import { queryKeys, replaceData } from "@/components/api/query-keys";
import { getJson, sendJson } from "@/components/api/request";
import { ConvertedLead } from "@/components/records/convert/converted-lead";
import { type Conflict, EditConflict } from "@/components/records/form/edit-conflict";
import { mergeVersions } from "@/components/records/form/merge-versions";
import { assertNumbers, faultsOfRecord } from "@/components/records/form/record-faults";
import { RecordFields } from "@/components/records/form/record-fields";
import { changesOf, type FormValues, valuesOf } from "@/components/records/form/record-values";
import { LeaveGuard } from "@/components/ui/leave/leave-guard";
import { useGoBack } from "@/components/ui/leave/use-go-back";
import { LoadedRecord } from "@/components/records/loaded-record";
import { type AnyRecord, titleOf } from "@/components/records/record";
import { RECORD_NAMES } from "@/components/records/record-names";
import { recordsChanged } from "@/components/records/records-changed";
import { useRecord } from "@/components/records/use-record";
import { FormSkeleton } from "@/components/ui/feedback/shaped-skeletons";
import { FormShell } from "@/components/ui/form/form-shell";
import { PageActions } from "@/components/ui/form/page-actions";
import { replaceSent } from "@/components/ui/form/replace-sent";
import { useApiForm } from "@/components/ui/form/use-api-form";
import { Page } from "@/components/ui/layout/page";
import type { ResourceName } from "@/lib/records/schema/resources";

interface EditRecordProps {
  resource: ResourceName;
  id: string;
}

/** Changes the fields of a record. */
export function EditRecord({ resource, id }: EditRecordProps) {
  const query = useRecord(resource, id);
  const { singular } = RECORD_NAMES[resource];
  const name = query.data && titleOf(resource, query.data);
  return (
    <Page
      title={<>Edit {name || singular.toLowerCase()}</>}
      parent={{ href: `/${resource}/${id}`, name: name || singular }}
    >
      <LoadedRecord resource={resource} id={id} query={query} skeleton={FormSkeleton}>
        {(item) => <Editor resource={resource} item={item} />}
      </LoadedRecord>
    </Page>
  );
}

/** A lead that is converted meanwhile keeps its form, with what was typed into it. */
function Editor({ resource, item }: { resource: ResourceName; item: AnyRecord }) {
  const [isOpen] = useState(!isConverted(resource, item));
  return (
    <>
      {isConverted(resource, item) && <NoLongerChanges lead={item} />}
      {isOpen && <EditForm resource={resource} item={item} />}
    </>
  );
}

function isConverted(resource: ResourceName, item: AnyRecord): boolean {
  return resource === "leads" && item.status === "converted";
}

function NoLongerChanges({ lead }: { lead: AnyRecord }) {
  return (
    <>
      <Text>A converted lead can no longer change. Change the records that it became.</Text>
      <ConvertedLead lead={lead} />
    </>
  );
}

function EditForm({ resource, item }: { resource: ResourceName; item: AnyRecord }) {
  const { form, mutation, shell, conflict, isChanged } = useEdit(resource, item);
  return (
    <Paper withBorder p={{ base: "md", sm: "xl" }}>
      <LeaveGuard isUnsaved={isChanged && !mutation.isSuccess} what="Your changes" />
      <FormShell
        {...shell}
        actions={
          <PageActions mutation={mutation} back={`/${resource}/${item.id}`} isUnchanged={!isChanged}>
            Save changes
          </PageActions>
        }
      >
        {conflict && (
          <EditConflict key={mutation.submittedAt} resource={resource} item={item} conflict={conflict} form={form} />
        )}
        <RecordFields resource={resource} form={form} item={item} />
      </FormShell>
    </Paper>
  );
}

/**
 * The form, which sends what the reader has changed for the version that they have seen (RFC 9110 §13.1.1). If somebody
 * has changed the record since, nothing is stored, and `conflict` has both versions.
 */
function useEdit(resource: ResourceName, item: AnyRecord) {
  const path = `/${resource}/${item.id}`;
  // What the reader began with. A refresh of the page's data must not move it.
  const [known, setKnown] = useState(item);
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const goBack = useGoBack();
  const queries = useQueryClient();
  const queryKey = queryKeys.record(resource, item.id);
  const merge = async (mine: FormValues) => {
    const now = await getJson<AnyRecord>(path);
    const merged = mergeVersions(resource, known, now, mine);
    setKnown(now);
    setConflict({ ...merged, mine });
    replaceSent(form, mine, merged.values);
  };
  const { form, mutation, shell } = useApiForm<FormValues, AnyRecord>({
    initialValues: valuesOf(resource, item),
    faultsOf: (error) => faultsOfRecord(resource, error),
    send: async (values) => {
      assertNumbers(values);
      const changes = changesOf(resource, known, values);
      try {
        return await sendJson<AnyRecord>("PATCH", path, changes, Number(known.version));
      } catch (error) {
        if (isOutdated(error)) await merge(values);
        // The page then says above this form what became of the record.
        if (isMissing(error)) await queries.invalidateQueries({ queryKey });
        throw error;
      }
    },
    onSent: async (saved) => {
      await replaceData(queries, queryKey, saved);
      void recordsChanged(queries);
    },
    goOn: () => goBack(path),
  });
  const isChanged = Object.keys(changesOf(resource, known, form.values)).length > 0;
  const refusal = isOutdated(shell.refusal) || isMissing(shell.refusal) ? null : shell.refusal;
  return { form, mutation, conflict, isChanged, shell: { ...shell, refusal } };
}

function isMissing(error: unknown): boolean {
  return error instanceof Problem && error.code === "not_found";
}
