"use client";

import { Button, Paper } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";

import { faultsByField, Problem } from "@/components/api/problem";
import { queryKeys } from "@/components/api/query-keys";
import { getJson, sendJson } from "@/components/api/request";
import { type Conflict, EditConflict } from "@/components/records/form/edit-conflict";
import { mergeVersions } from "@/components/records/form/merge-versions";
import { RecordFields } from "@/components/records/form/record-fields";
import { changesOf, formFields, type FormValues, valuesOf } from "@/components/records/form/record-values";
import { LeaveGuard } from "@/components/ui/leave/leave-guard";
import { type AnyRecord, titleOf } from "@/components/records/record";
import { RECORD_NAMES } from "@/components/records/record-names";
import { useRecord } from "@/components/records/use-record";
import { Loaded } from "@/components/ui/feedback/loaded";
import { FormSkeleton } from "@/components/ui/feedback/shaped-skeletons";
import { FormShell } from "@/components/ui/form/form-shell";
import { useApiForm } from "@/components/ui/form/use-api-form";
import { Page } from "@/components/ui/layout/page";
import { LinkButton } from "@/components/ui/text/link-button";
import type { ResourceName } from "@/lib/records/schema/resources";

interface EditRecordProps {
  resource: ResourceName;
  id: string;
}

/** Changes the fields of a record. */
export function EditRecord({ resource, id }: EditRecordProps) {
  const query = useRecord(resource, id);
  const { plural, singular } = RECORD_NAMES[resource];
  const noun = singular.toLowerCase();
  const title = (query.data && titleOf(resource, query.data)) || noun;
  return (
    <Page title={<>Edit {title}</>} parent={{ href: `/${resource}/${id}`, name: title }}>
      <Loaded
        query={query}
        loading={`Loading the ${noun}`}
        skeleton={FormSkeleton}
        list={{ href: `/${resource}`, name: `All ${plural.toLowerCase()}` }}
      >
        {(item) => <EditForm resource={resource} item={item} />}
      </Loaded>
    </Page>
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
          <>
            <LinkButton href={`/${resource}/${item.id}`} variant="default" data-discards>
              Cancel
            </LinkButton>
            <Button type="submit" loading={mutation.isPending || mutation.isSuccess} disabled={!isChanged}>
              Save changes
            </Button>
          </>
        }
      >
        {conflict && <EditConflict key={mutation.submittedAt} resource={resource} conflict={conflict} form={form} />}
        <RecordFields resource={resource} form={form} />
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
  const router = useRouter();
  const queries = useQueryClient();
  const merge = async (mine: FormValues) => {
    const now = await getJson<AnyRecord>(path);
    const merged = mergeVersions(resource, known, now, mine);
    setKnown(now);
    setConflict({ ...merged, mine, theirs: valuesOf(resource, now) });
    form.setValues(merged.values);
  };
  const { form, mutation, shell } = useApiForm<FormValues, AnyRecord>({
    initialValues: valuesOf(resource, item),
    faultsOf: (error) =>
      faultsByField(
        error,
        formFields(resource).map(([name]) => name),
      ),
    send: async (values) => {
      const changes = changesOf(resource, known, values);
      try {
        return await sendJson<AnyRecord>("PATCH", path, changes, Number(known.version));
      } catch (error) {
        if (isOutdated(error)) await merge(values);
        throw error;
      }
    },
    onSent: (saved) => {
      queries.setQueryData(queryKeys.record(resource, item.id), saved);
      void queries.invalidateQueries({ queryKey: ["records"] });
      router.push(path);
    },
  });
  const isChanged = Object.keys(changesOf(resource, known, form.values)).length > 0;
  const refusal = isOutdated(shell.refusal) ? null : shell.refusal;
  return { form, mutation, conflict, isChanged, shell: { ...shell, refusal } };
}

function isOutdated(error: unknown): boolean {
  return error instanceof Problem && error.code === "precondition_failed";
}
