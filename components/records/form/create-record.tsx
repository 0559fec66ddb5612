"use client";

import { Paper } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";

import { assertNumbers, faultsOfRecord } from "@/components/records/form/record-faults";
import { RecordFields } from "@/components/records/form/record-fields";
import { creationOf, initialValues } from "@/components/records/form/record-values";
import type { AnyRecord } from "@/components/records/record";
import { RECORD_NAMES } from "@/components/records/record-names";
import { recordsChanged } from "@/components/records/records-changed";
import { givenReference, givenValues, givingReference, valuesFrom } from "@/components/records/relations";
import { useRecord } from "@/components/records/use-record";
import { useDefaultCurrency } from "@/components/settings/organization/organization-defaults";
import { FormSkeleton } from "@/components/ui/feedback/shaped-skeletons";
import { CreateShell } from "@/components/ui/form/create-shell";
import { useApiForm } from "@/components/ui/form/use-api-form";
import { Page } from "@/components/ui/layout/page";
import type { ResourceName } from "@/lib/records/schema/resources";

interface CreateRecordProps {
  resource: ResourceName;
  /**
   * Values that are filled in: `account_id` of the account that it belongs to. `from=record` tells that the form was
   * opened on the page of the record to which the new one will refer.
   */
  given: Readonly<Record<string, string>>;
}

/** Creates a record, and opens it. */
export function CreateRecord({ resource, given }: CreateRecordProps) {
  const { singular, plural } = RECORD_NAMES[resource];
  const { values, isLoading } = useGivenValues(resource, givenValues(resource, given));
  return (
    <Page title={`New ${singular.toLowerCase()}`} parent={{ href: `/${resource}`, name: plural }}>
      {isLoading ? (
        <FormSkeleton label="Loading the form" />
      ) : (
        <CreateForm resource={resource} given={values} back={backFrom(resource, given)} />
      )}
    </Page>
  );
}

/** What is given, and the customer of the record to which it refers; without that if the record cannot be read. */
function useGivenValues(resource: ResourceName, given: CreateRecordProps["given"]) {
  const reference = givingReference(resource, given);
  const { data: item, isPending } = useRecord(reference?.target ?? resource, reference?.id ?? "");
  const values = reference && item ? { ...valuesFrom(resource, reference.field, item), ...given } : given;
  return { values, isLoading: reference !== null && isPending };
}

/** The values with which it begins are those of its first rendering. */
function CreateForm({ resource, given, back }: CreateRecordProps & { back: string }) {
  const router = useRouter();
  const queries = useQueryClient();
  const action = `Create the ${RECORD_NAMES[resource].singular.toLowerCase()}`;
  const currency = useDefaultCurrency();
  const create = useApiForm({
    initialValues: initialValues(resource, { ...(currency !== null && { currency }), ...given }),
    faultsOf: (error) => faultsOfRecord(resource, error),
    send: async (values, post) => {
      assertNumbers(values);
      return post<AnyRecord>(`/${resource}`, creationOf(resource, values));
    },
    onSent: () => void recordsChanged(queries),
    goOn: ({ id }) => router.replace(`/${resource}/${id}`),
  });
  return (
    <Paper withBorder p={{ base: "md", sm: "xl" }}>
      <CreateShell create={create} action={action} back={back}>
        <RecordFields resource={resource} form={create.form} />
      </CreateShell>
    </Paper>
  );
}

/** Where who creates nothing goes back to: the record on whose page the form was opened, or the list. */
export function backFrom(resource: ResourceName, given: CreateRecordProps["given"]): string {
  const reference = given.from === "record" ? givenReference(resource, given) : null;
  return reference ? `/${reference.target}/${reference.id}` : `/${resource}`;
}
