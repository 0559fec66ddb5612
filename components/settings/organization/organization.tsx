"use client";

import { Stack } from "@mantine/core";

import { DeleteOrganization } from "@/components/settings/organization/delete-organization";
import { ExportOrganization } from "@/components/settings/organization/export-organization";
import { GeneralForm } from "@/components/settings/organization/general-form";
import { Storage } from "@/components/settings/organization/storage";
import { useOrganization } from "@/components/settings/organization/use-organization";
import { SETTINGS } from "@/components/settings/settings-links";
import { Loaded } from "@/components/ui/feedback/loaded";
import { FormSkeleton } from "@/components/ui/feedback/shaped-skeletons";
import { Fact, Facts } from "@/components/ui/layout/facts";
import { Page } from "@/components/ui/layout/page";
import { Section } from "@/components/ui/layout/section";
import type { OrganizationSettings } from "@/lib/settings/organization/organization-schema";

/** What holds for the whole organization. Members read it, admins change it. */
export function Organization({ isAdmin }: { isAdmin: boolean }) {
  const query = useOrganization();
  return (
    <Page
      title="Organization"
      parent={SETTINGS}
      lead={isAdmin ? "What holds for everybody here." : "What holds for everybody here. Admins can change it."}
    >
      <Loaded query={query} loading="Loading the organization" skeleton={FormSkeleton}>
        {(organization) => (
          <Stack gap="lg">
            {isAdmin ? <GeneralForm organization={organization} /> : <General organization={organization} />}
            <Storage storage={organization.storage} />
            {isAdmin && <ExportOrganization />}
            {isAdmin && <DeleteOrganization name={organization.name} />}
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

function General({ organization: { name, currency, time_zone } }: { organization: OrganizationSettings }) {
  return (
    <Section title="General">
      <Facts>
        <Fact label="Name">
          <bdi>{name}</bdi>
        </Fact>
        <Fact label="Default currency">{currency ?? "None"}</Fact>
        <Fact label="Time zone">{time_zone ?? "Everybody sees their own"}</Fact>
      </Facts>
    </Section>
  );
}
