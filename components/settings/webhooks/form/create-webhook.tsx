"use client";

import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";

import { AddressFields } from "@/components/settings/webhooks/form/address-fields";
import { eventsOf } from "@/components/settings/webhooks/form/event-choice";
import { EventPicker } from "@/components/settings/webhooks/form/event-picker";
import { SecretFields } from "@/components/settings/webhooks/form/secret-fields";
import { faultsOf, type WebhookValues } from "@/components/settings/webhooks/form/webhook-values";
import { cacheWebhook } from "@/components/settings/webhooks/use-webhooks";
import { FormShell } from "@/components/ui/form/form-shell";
import { useApiForm } from "@/components/ui/form/use-api-form";
import { LeaveGuard } from "@/components/ui/leave/leave-guard";
import { LinkButton } from "@/components/ui/text/links";
import type { WebhookWithSecret } from "@/lib/webhooks/endpoints/webhook-schema";

const BLANK: WebhookValues = { url: "", description: "", events: [], secretChoice: "generate", secret: "" };

interface CreateWebhookProps {
  /** Gets the webhook, and the secret if the reader brought one. */
  onCreated: (created: WebhookWithSecret, ownSecret: string | null) => void;
}

/** Creates a webhook. */
export function CreateWebhook({ onCreated }: CreateWebhookProps) {
  const queries = useQueryClient();
  const { form, mutation, shell } = useApiForm<WebhookValues, WebhookWithSecret>({
    initialValues: BLANK,
    faultsOf,
    send: (values, post) => post<WebhookWithSecret>("/webhooks", bodyOf(values)),
    onSent: async (created, { secretChoice, secret }) => {
      await cacheWebhook(queries, created);
      onCreated(created, secretChoice === "own" ? secret : null);
    },
  });
  return (
    <FormShell
      {...shell}
      actions={
        <>
          <LinkButton href="/settings/webhooks" variant="default" data-discards>
            Cancel
          </LinkButton>
          <Button type="submit" loading={mutation.isPending}>
            Create webhook
          </Button>
        </>
      }
    >
      <LeaveGuard isUnsaved={form.isDirty() && !mutation.isSuccess} what="The values you have entered" />
      <AddressFields form={form} />
      <EventPicker
        value={form.values.events}
        onChange={(events) => form.setFieldValue("events", events)}
        error={form.errors["events"]}
      />
      <SecretFields form={form} />
    </FormShell>
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
