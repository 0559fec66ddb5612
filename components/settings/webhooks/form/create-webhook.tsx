"use client";

import { useQueryClient } from "@tanstack/react-query";

import { AddressFields } from "@/components/settings/webhooks/form/address-fields";
import { eventsOf } from "@/components/settings/webhooks/form/event-choice";
import { EventPicker } from "@/components/settings/webhooks/form/event-picker";
import { SecretFields } from "@/components/settings/webhooks/form/secret-fields";
import { faultsOf, type WebhookValues } from "@/components/settings/webhooks/form/webhook-values";
import { cacheWebhook } from "@/components/settings/webhooks/use-webhooks";
import { CreateShell } from "@/components/ui/form/create-shell";
import { useApiForm } from "@/components/ui/form/use-api-form";
import type { WebhookWithSecret } from "@/lib/webhooks/endpoints/webhook-schema";

const BLANK: WebhookValues = { url: "", description: "", events: [], secretChoice: "generate", secret: "" };

interface CreateWebhookProps {
  /** Gets the webhook, and the secret if the reader brought one. */
  onCreated: (created: WebhookWithSecret, ownSecret: string | null) => void;
}

/** Creates a webhook. */
export function CreateWebhook({ onCreated }: CreateWebhookProps) {
  const queries = useQueryClient();
  const create = useApiForm<WebhookValues, WebhookWithSecret>({
    initialValues: BLANK,
    faultsOf,
    send: (values, post) => post<WebhookWithSecret>("/webhooks", bodyOf(values)),
    onSent: async (created, { secretChoice, secret }) => {
      await cacheWebhook(queries, created);
      onCreated(created, secretChoice === "own" ? secret : null);
    },
  });
  const { form } = create;
  return (
    <CreateShell create={create} action="Create webhook" back="/settings/webhooks">
      <AddressFields form={form} />
      <EventPicker
        value={form.values.events}
        onChange={(events) => form.setFieldValue("events", events)}
        error={form.errors["events"]}
      />
      <SecretFields form={form} />
    </CreateShell>
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
