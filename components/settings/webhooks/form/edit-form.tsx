"use client";

import { Button, Group, Stack } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useId } from "react";

import { Problem } from "@/components/api/problem";
import { Announcement } from "@/components/ui/feedback/announcement";
import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import { showFaults } from "@/components/ui/form/show-faults";
import { Section } from "@/components/ui/layout/section";
import { AddressFields } from "@/components/settings/webhooks/form/address-fields";
import { ChangedMeanwhile } from "@/components/settings/webhooks/form/changed-meanwhile";
import { EventPicker } from "@/components/settings/webhooks/form/event-picker";
import { useUpdateWebhook } from "@/components/settings/webhooks/form/use-update-webhook";
import { faultsOf, type WebhookValues } from "@/components/settings/webhooks/form/webhook-values";
import type { Webhook } from "@/lib/webhooks/endpoints/webhook-schema";

/** Changes where a webhook goes, what it is called and what it tells of. Only what the reader has changed is sent. */
export function EditForm({ webhook }: { webhook: Webhook }) {
  const formId = useId();
  const form = useForm<WebhookValues>({ initialValues: valuesOf(webhook) });
  const { update, changes, known, learn } = useUpdateWebhook(webhook, form.values);
  const show = (shown: Webhook) => form.setValues(valuesOf(shown));
  const save = () =>
    update.mutate(changes, {
      onSuccess: show,
      onError: (error) => showFaults(form, formId, faultsOf(error)),
    });
  const discard = () => {
    update.reset();
    form.clearErrors();
    show(known);
  };
  const isChanged = Object.keys(changes).length > 0;
  return (
    <Section title="Endpoint and events">
      <form id={formId} onSubmit={form.onSubmit(save)} noValidate>
        <Stack gap="lg">
          <Refusal error={update.error} known={known} onRead={learn} onDiscard={discard} />
          <AddressFields form={form} />
          <EventPicker
            value={form.values.events}
            onChange={(events) => form.setFieldValue("events", events)}
            error={form.errors["events"]}
          />
          <Group justify="flex-end">
            {isChanged && (
              <Button variant="default" onClick={discard}>
                Discard changes
              </Button>
            )}
            <Button type="submit" loading={update.isPending} disabled={!isChanged}>
              Save changes
            </Button>
          </Group>
          <Announcement>{update.isSuccess && !isChanged && "Saved."}</Announcement>
        </Stack>
      </form>
    </Section>
  );
}

interface RefusalProps {
  error: Error | null;
  known: Webhook;
  onRead: (now: Webhook) => void;
  onDiscard: () => void;
}

/** What the API refused, unless it is said at the fields. */
function Refusal({ error, ...rest }: RefusalProps) {
  if (!error || faultsOf(error)) return null;
  if (error instanceof Problem && error.code === "precondition_failed") return <ChangedMeanwhile {...rest} />;
  return <ProblemAlert error={error} takesFocus />;
}

function valuesOf({ url, description, events }: Webhook): WebhookValues {
  return { url, description: description ?? "", events, secretChoice: "generate", secret: "" };
}
