"use client";

import { Button, Group, Stack } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId } from "react";

import { sendJson } from "@/components/api/request";
import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import { showFaults } from "@/components/ui/form/show-faults";
import { AddressFields } from "@/components/settings/webhooks/form/address-fields";
import { eventsOf } from "@/components/settings/webhooks/form/event-choice";
import { EventPicker } from "@/components/settings/webhooks/form/event-picker";
import { SecretFields } from "@/components/settings/webhooks/form/secret-fields";
import { faultsByField, type WebhookValues } from "@/components/settings/webhooks/form/webhook-values";
import { keepWebhook } from "@/components/settings/webhooks/use-webhooks";
import { LinkButton } from "@/components/ui/text/link-button";
import { webhook, type WebhookWithSecret, webhookWithSecret } from "@/lib/webhooks/endpoints/webhook-schema";

const NOTHING: WebhookValues = { url: "", description: "", events: [], secretChoice: "generate", secret: "" };

interface CreateFormProps {
  /** Given the webhook, and the secret that the reader brought along. */
  onCreated: (created: WebhookWithSecret, ownSecret: string | null) => void;
}

/** Creates a webhook. What is valid is the API's to say: its faults are shown at their fields. */
export function CreateForm({ onCreated }: CreateFormProps) {
  const queries = useQueryClient();
  const formId = useId();
  const form = useForm<WebhookValues>({ initialValues: NOTHING });
  const create = useMutation({
    mutationFn: (values: WebhookValues) => sendJson("POST", "/webhooks", bodyOf(values), webhookWithSecret),
    onSuccess: (created, { secretChoice, secret }) => {
      keepWebhook(queries, webhook.parse(created));
      onCreated(created, secretChoice === "own" ? secret : null);
    },
    onError: (error) => showFaults(form, formId, faultsByField(error)),
  });
  return (
    <form id={formId} onSubmit={form.onSubmit((values) => create.mutate(values))} noValidate>
      <Stack gap="lg">
        {create.isError && !faultsByField(create.error) && <ProblemAlert error={create.error} takesFocus />}
        <AddressFields form={form} />
        <EventPicker
          value={form.values.events}
          onChange={(events) => form.setFieldValue("events", events)}
          error={form.errors["events"]}
        />
        <SecretFields form={form} />
        <Group justify="flex-end">
          <LinkButton href="/settings/webhooks" variant="default">
            Cancel
          </LinkButton>
          <Button type="submit" loading={create.isPending}>
            Create webhook
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function bodyOf({ url, description, events, secretChoice, secret }: WebhookValues) {
  return {
    url: url.trim(),
    events: eventsOf(events),
    ...(description.trim() && { description: description.trim() }),
    ...(secretChoice === "generate" && { generate_secret: true }),
    ...(secretChoice === "own" && { secret }),
  };
}
