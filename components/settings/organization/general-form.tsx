"use client";

import { Select, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";

import { faultsByField } from "@/components/api/problem";
import { queryKeys } from "@/components/api/query-keys";
import { sendJson } from "@/components/api/request";
import { browserTimeZone, CURRENCIES, timeZones } from "@/components/settings/organization/choices";
import { ORGANIZATION_PATH, organizationQuery } from "@/components/settings/organization/use-organization";
import { EditShell } from "@/components/ui/form/edit-shell";
import { useEditForm } from "@/components/ui/form/use-edit-form";
import { Section } from "@/components/ui/layout/section";
import { type OrganizationSettings, organizationSettings } from "@/lib/settings/organization/organization-schema";

type Values = Pick<OrganizationSettings, "name" | "currency" | "time_zone">;

/** Changes the organization's name, its default currency and the time zone of its pages. */
export function GeneralForm({ organization }: { organization: OrganizationSettings }) {
  const queries = useQueryClient();
  const router = useRouter();
  const edit = useEditForm<OrganizationSettings, Values, Partial<Values>>({
    item: organization,
    valuesOf,
    changesOf,
    faultsOf: (error) => faultsByField(error, ["name", "currency", "time_zone"]),
    save: async (changes, version) => {
      const saved = await sendJson("PATCH", ORGANIZATION_PATH, changes, organizationSettings, version);
      queries.setQueryData(queryKeys.organization(), saved);
      // The frame of all pages shows the name, and gives them currency and time zone.
      router.refresh();
      return saved;
    },
  });
  const { form } = edit;
  return (
    <Section title="General">
      <EditShell edit={edit} noun="organization" query={organizationQuery} differences={differences} isNarrow>
        <TextInput label="Name" autoComplete="organization" {...form.getInputProps("name")} />
        <Select
          label="Default currency"
          description="New records with an amount begin with it. It converts nothing."
          placeholder="None"
          data={CURRENCIES}
          searchable
          clearable
          clearButtonProps={clearButton("Have no default currency")}
          nothingFoundMessage="No such currency"
          {...form.getInputProps("currency")}
        />
        <Select
          label="Time zone"
          description={
            "Times and days on all pages are shown and entered in it, wherever the reader is. Without one, everybody " +
            "sees their own."
          }
          placeholder={`Everybody’s own (yours is ${browserTimeZone()})`}
          data={timeZones(organization.time_zone)}
          searchable
          clearable
          clearButtonProps={clearButton("Show everybody their own time")}
          nothingFoundMessage="No such time zone"
          {...form.getInputProps("time_zone")}
        />
      </EditShell>
    </Section>
  );
}

/** Within reach of the keyboard, which Mantine's own is not, and as large as a finger needs (WCAG 2.2, 2.5.8). */
function clearButton(label: string) {
  return { "aria-label": label, "aria-hidden": false, tabIndex: 0, size: "md" } as const;
}

function valuesOf({ name, currency, time_zone }: OrganizationSettings): Values {
  return { name, currency, time_zone };
}

function changesOf(organization: OrganizationSettings, { name, currency, time_zone }: Values): Partial<Values> {
  return {
    ...(name.trim() !== organization.name && { name: name.trim() }),
    ...(currency !== organization.currency && { currency }),
    ...(time_zone !== organization.time_zone && { time_zone }),
  };
}

function differences(before: OrganizationSettings, now: OrganizationSettings): string[] {
  return [
    ...(now.name === before.name ? [] : [`The name is now ${now.name}.`]),
    ...(now.currency === before.currency ? [] : [`The default currency is now ${now.currency ?? "none"}.`]),
    ...(now.time_zone === before.time_zone ? [] : [`The time zone is now ${now.time_zone ?? "everybody’s own"}.`]),
  ];
}
