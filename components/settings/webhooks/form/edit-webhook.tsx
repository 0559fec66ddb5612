"use client";

import { useQueryClient } from "@tanstack/react-query";

import { sendJson } from "@/components/api/request";
import { eventName } from "@/components/settings/webhooks/event-names";
import { AddressFields } from "@/components/settings/webhooks/form/address-fields";
import { eventsOf } from "@/components/settings/webhooks/form/event-choice";
import { EventPicker } from "@/components/settings/webhooks/form/event-picker";
import { faultsOf, type WebhookValues } from "@/components/settings/webhooks/form/webhook-values";
import { cacheWebhook, webhookPath, webhookQuery } from "@/components/settings/webhooks/use-webhooks";
import { EditShell } from "@/components/ui/form/edit-shell";
import { useEditForm } from "@/components/ui/form/use-edit-form";
import { Section } from "@/components/ui/layout/section";
import type { Webhook } from "@/lib/webhooks/endpoints/webhook-schema";

type Changes = Partial<Pick<Webhook, "url" | "description" | "events">>;

/** Changes the endpoint, the description and the events of a webhook. */
export function EditWebhook({ webhook }: { webhook: Webhook }) {
  const queries = useQueryClient();
  const edit = useEditForm<Webhook, WebhookValues, Changes>({
    item: webhook,
    valuesOf,
    changesOf,
    faultsOf,
    save: async (changes, version) => {
      const saved = await sendJson<Webhook>("PATCH", webhookPath(webhook.id), changes, version);
      await cacheWebhook(queries, saved);
      return saved;
    },
  });
  const { form } = edit;
  return (
    <Section title="Endpoint and events">
      <EditShell edit={edit} noun="webhook" query={webhookQuery(webhook.id)} differences={differences}>
        <AddressFields form={form} />
        <EventPicker
          value={form.values.events}
          onChange={(events) => form.setFieldValue("events", events)}
          error={form.errors["events"]}
        />
      </EditShell>
    </Section>
  );
}

function valuesOf({ url, description, events }: Webhook): WebhookValues {
  return { url, description: description ?? "", events, secretChoice: "generate", secret: "" };
}

function changesOf(webhook: Webhook, values: WebhookValues): Changes {
  const [url, description, events] = [values.url.trim(), values.description.trim() || null, eventsOf(values.events)];
  return {
    ...(url !== webhook.url && { url }),
    ...(description !== webhook.description && { description }),
    ...(JSON.stringify(events) !== JSON.stringify(eventsOf(webhook.events)) && { events }),
  };
}

function namesOf(events: readonly string[]): string {
  return events.map(eventName).join(", ");
}

function differences(before: Webhook, now: Webhook): string[] {
  return [
    ...(now.url === before.url ? [] : [`The endpoint is now ${now.url}.`]),
    ...(now.description === before.description
      ? []
      : [now.description ? `The description is now “${now.description}”.` : "It has no description now."]),
    ...(now.events.join() === before.events.join() ? [] : [`The events are now: ${namesOf(now.events)}.`]),
    ...(now.active === before.active ? [] : [now.active ? "It is switched on now." : "It is switched off now."]),
  ];
}
