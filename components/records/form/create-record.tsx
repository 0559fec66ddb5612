"use client";

import { Button, Paper } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";

import { faultsByField } from "@/components/api/problem";
import { RecordFields } from "@/components/records/form/record-fields";
import { creationOf, formFields, initialValues } from "@/components/records/form/record-values";
import { LeaveGuard } from "@/components/ui/leave/leave-guard";
import type { AnyRecord } from "@/components/records/record";
import { RECORD_NAMES } from "@/components/records/record-names";
import { recordsChanged } from "@/components/records/records-changed";
import { useDefaultCurrency } from "@/components/settings/organization/organization-defaults";
import { FormShell } from "@/components/ui/form/form-shell";
import { useApiForm } from "@/components/ui/form/use-api-form";
import { Page } from "@/components/ui/layout/page";
import { LinkButton } from "@/components/ui/text/links";
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
  const { form, mutation, shell } = useApiForm({
    initialValues: initialValues(resource, { ...(currency !== null && { currency }), ...given }),
    faultsOf: (error) =>
      faultsByField(
        error,
        formFields(resource).map(([name]) => name),
      ),
    send: (values, post) => post<AnyRecord>(`/${resource}`, creationOf(resource, values)),
    onSent: () => void recordsChanged(queries),
    goOn: ({ id }) => router.push(`/${resource}/${id}`),
  });
  return (
    <Page title={`New ${singular.toLowerCase()}`} parent={{ href: `/${resource}`, name: plural }}>
      <LeaveGuard isUnsaved={form.isDirty() && !mutation.isSuccess} what="The values you have entered" />
      <Paper withBorder p={{ base: "md", sm: "xl" }}>
        <FormShell
          {...shell}
          actions={
            <>
              <LinkButton href={`/${resource}`} variant="default" data-discards>
                Cancel
              </LinkButton>
              <Button type="submit" loading={mutation.isPending || mutation.isSuccess}>
                Create the {singular.toLowerCase()}
              </Button>
            </>
          }
        >
          <RecordFields resource={resource} form={form} />
        </FormShell>
      </Paper>
    </Page>
  );
}
