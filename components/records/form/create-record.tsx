"use client";

import { Paper } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";

import { fieldOf } from "@/components/records/fields/field-of";
import { assertNumbers, faultsOfRecord } from "@/components/records/form/record-faults";
import { RecordFields } from "@/components/records/form/record-fields";
import { creationOf, initialValues } from "@/components/records/form/record-values";
import type { AnyRecord } from "@/components/records/record";
import { RECORD_NAMES } from "@/components/records/record-names";
import { recordsChanged } from "@/components/records/records-changed";
import { useDefaultCurrency } from "@/components/settings/organization/organization-defaults";
import { CreateShell } from "@/components/ui/form/create-shell";
import { useApiForm } from "@/components/ui/form/use-api-form";
import { Page } from "@/components/ui/layout/page";
import { isFilterValue } from "@/lib/records/schema/list-address";
import type { ResourceName } from "@/lib/records/schema/resources";

interface CreateRecordProps {
  resource: ResourceName;
  /** Values that are filled in: `account_id` of the account that it belongs to. */
  given: Readonly<Record<string, string>>;
}

/** Creates a record, and opens it. */
export function CreateRecord({ resource, given }: CreateRecordProps) {
  const router = useRouter();
  const queries = useQueryClient();
  const { singular, plural } = RECORD_NAMES[resource];
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
    <Page title={`New ${singular.toLowerCase()}`} parent={{ href: `/${resource}`, name: plural }}>
      <Paper withBorder p={{ base: "md", sm: "xl" }}>
        <CreateShell create={create} action={`Create the ${singular.toLowerCase()}`} back={backFrom(resource, given)}>
          <RecordFields resource={resource} form={create.form} />
        </CreateShell>
      </Paper>
    </Page>
  );
}

/** Where who creates nothing goes back to: the record to which it would have belonged; if none is given, the list. */
export function backFrom(resource: ResourceName, given: CreateRecordProps["given"]): string {
  for (const [name, value] of Object.entries(given)) {
    const target = fieldOf(resource, name)?.references;
    if (target && target !== "users" && isFilterValue(resource, name, value)) return `/${target}/${value}`;
  }
  return `/${resource}`;
}
