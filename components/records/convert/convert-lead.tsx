"use client";

import { Paper, Stack, Text } from "@mantine/core";

import { ConversionTargets } from "@/components/records/convert/conversion-targets";
import { ConvertedLead } from "@/components/records/convert/converted-lead";
import { isConverted, useConversion } from "@/components/records/convert/use-conversion";
import { LeaveGuard } from "@/components/ui/leave/leave-guard";
import { LoadedRecord } from "@/components/records/loaded-record";
import { type AnyRecord, titleOf } from "@/components/records/record";
import { useRecord } from "@/components/records/use-record";
import { FormSkeleton } from "@/components/ui/feedback/shaped-skeletons";
import { FormShell } from "@/components/ui/form/form-shell";
import { PageActions } from "@/components/ui/form/page-actions";
import { Page } from "@/components/ui/layout/page";
import { LinkButton } from "@/components/ui/text/links";

/** Makes an account, a contact and an opportunity of a lead. */
export function ConvertLead({ id }: { id: string }) {
  const query = useRecord("leads", id);
  const name = query.data && titleOf("leads", query.data);
  return (
    <Page
      title={<>Convert {name || "lead"}</>}
      parent={{ href: `/leads/${id}`, name: name || "Lead" }}
      lead="A lead becomes an account, a contact and, if you like, an opportunity. Its activities move along."
    >
      <LoadedRecord resource="leads" id={id} query={query} skeleton={FormSkeleton}>
        {(lead) => (lead.status === "converted" ? <ConvertedLead lead={lead} /> : <ConversionForm lead={lead} />)}
      </LoadedRecord>
    </Page>
  );
}

function ConversionForm({ lead }: { lead: AnyRecord }) {
  const { form, mutation, shell, accountId } = useConversion(lead);
  return (
    <Paper withBorder p={{ base: "md", sm: "xl" }}>
      <LeaveGuard
        isUnsaved={form.isDirty() && !mutation.isSuccess && !isConverted(shell.refusal)}
        what="Your choices"
      />
      <FormShell
        {...shell}
        help={isConverted(shell.refusal) && <SeeLead id={lead.id} />}
        actions={
          <PageActions mutation={mutation} back={`/leads/${lead.id}`}>
            Convert the lead
          </PageActions>
        }
      >
        <ConversionTargets lead={lead} form={form} accountId={accountId} />
        <Text size="sm" c="dimmed">
          A converted lead can no longer be changed or converted back.
        </Text>
      </FormShell>
    </Paper>
  );
}

function SeeLead({ id }: { id: string }) {
  return (
    <Stack align="flex-start" mt="sm">
      <LinkButton href={`/leads/${id}`} variant="default" size="xs">
        See what it became
      </LinkButton>
    </Stack>
  );
}
