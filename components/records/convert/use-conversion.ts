import { useQueryClient } from "@tanstack/react-query";
import { notifications } from "@mantine/notifications";

import { faultsByField, Problem } from "@/components/api/problem";
import { queryKeys } from "@/components/api/query-keys";
import { CONVERSION_FIELDS, conversionOf, initialConversion } from "@/components/records/convert/conversion-values";
import type { FormValues } from "@/components/records/form/record-values";
import { type AnyRecord, textOf, titleOf } from "@/components/records/record";
import { recordsChanged } from "@/components/records/records-changed";
import { useRecord } from "@/components/records/use-record";
import { useDefaultCurrency } from "@/components/settings/organization/organization-defaults";
import { useApiForm } from "@/components/ui/form/use-api-form";
import { useGoBack } from "@/components/ui/leave/use-go-back";

interface Converted {
  lead: AnyRecord;
}

/** The form of a conversion. When the lead is converted, its page is opened. */
export function useConversion(lead: AnyRecord) {
  const goBack = useGoBack();
  const queries = useQueryClient();
  const path = `/leads/${lead.id}`;
  const { form, mutation, shell } = useApiForm<FormValues, Converted>({
    initialValues: { ...initialConversion(lead), currency: useDefaultCurrency() ?? "" },
    faultsOf: (error) => faultsByField(error, CONVERSION_FIELDS, lastSegment),
    send: (values, post) => post<Converted>(`${path}/convert`, conversionOf(values, accountId)),
    onSent: ({ lead: after }) => {
      queries.removeQueries({ queryKey: ["record"] });
      queries.setQueryData(queryKeys.record("leads", lead.id), after);
      notifications.show({ message: `${titleOf("leads", lead)} is converted.` });
      void recordsChanged(queries);
    },
    goOn: () => goBack(path),
  });
  const accountId = useAccountOfContact(form.values);
  return { form, mutation, shell, accountId };
}

/** An opportunity's faults point at `/create_opportunity/…`. */
function lastSegment(pointer: string): string {
  return pointer.split("/").at(-1) ?? "";
}

/** Whether somebody else has converted the lead meanwhile. */
export function isConverted(error: unknown): boolean {
  return error instanceof Problem && error.code === "conflict";
}

/** The account of the chosen contact: the lead becomes part of that one. Null if there is none. */
function useAccountOfContact({ contact, contact_id: chosen }: FormValues): string | null {
  const { data } = useRecord("contacts", contact === "existing" ? String(chosen) : "");
  return data ? textOf(data, "account_id") || null : null;
}
