"use client";

import { NativeSelect, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";

import { faultsByField } from "@/components/api/problem";
import { queryKeys, replaceData } from "@/components/api/query-keys";
import { sendJson } from "@/components/api/request";
import { browserTimeZone, CURRENCIES, timeZones } from "@/components/settings/organization/choices";
import { ORGANIZATION_PATH, organizationQuery } from "@/components/settings/organization/use-organization";
import { EditShell } from "@/components/ui/form/edit-shell";
import { useEditForm } from "@/components/ui/form/use-edit-form";
import { Section } from "@/components/ui/layout/section";
import type { OrganizationSettings } from "@/lib/settings/organization/organization-schema";

type Values = Record<"name" | "currency" | "time_zone", string>;

/** Changes the organization's name, its default currency and the time zone of its pages. */
export function GeneralForm({ organization }: { organization: OrganizationSettings }) {
  const queries = useQueryClient();
  const router = useRouter();
  const edit = useEditForm<OrganizationSettings, Values, Partial<OrganizationSettings>>({
    item: organization,
    valuesOf,
    changesOf,
    faultsOf: (error) => faultsByField(error, ["name", "currency", "time_zone"]),
    save: async (changes, version) => {
      const saved = await sendJson<OrganizationSettings>("PATCH", ORGANIZATION_PATH, changes, version);
      await replaceData(queries, queryKeys.organization(), saved);
      // The frame of all pages shows the name, and gives them currency and time zone.
      router.refresh();
      return saved;
    },
  });
  const { form } = edit;
  return (
    <Section title="General">
      <EditShell edit={edit} noun="organization" query={organizationQuery} differences={differences} isNarrow>
        <TextInput label="Name" required autoComplete="organization" {...form.getInputProps("name")} />
        <NativeSelect
          label="Default currency"
          description="New records with an amount begin with it. It converts nothing."
          data={[{ value: "", label: "None" }, ...CURRENCIES]}
          {...form.getInputProps("currency")}
        />
        <NativeSelect
          label="Time zone"
          description={
            "Times and days on all pages are shown and entered in it, wherever the reader is. Without one, everybody " +
            "sees their own."
          }
          data={[
            { value: "", label: `Everybody’s own (yours is ${browserTimeZone()})` },
            ...timeZones(organization.time_zone),
          ]}
          {...form.getInputProps("time_zone")}
        />
      </EditShell>
    </Section>
  );
}

/** The values of the form. In a select, an empty text is no choice. */
function valuesOf({ name, currency, time_zone }: OrganizationSettings): Values {
  return { name, currency: currency ?? "", time_zone: time_zone ?? "" };
}

function changesOf(organization: OrganizationSettings, values: Values): Partial<OrganizationSettings> {
  const [name, currency, time_zone] = [values.name.trim(), values.currency || null, values.time_zone || null];
  return {
    ...(name !== organization.name && { name }),
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
