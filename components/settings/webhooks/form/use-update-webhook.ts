import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { sendJson } from "@/components/api/request";
import { eventsOf } from "@/components/settings/webhooks/form/event-choice";
import type { WebhookValues } from "@/components/settings/webhooks/form/webhook-values";
import { cacheWebhook, webhookPath } from "@/components/settings/webhooks/use-webhooks";
import { type Webhook, webhook } from "@/lib/webhooks/endpoints/webhook-schema";

type Changes = Partial<Pick<Webhook, "url" | "description" | "events">>;

/**
 * Sends what the reader has changed, for the version that they last saw (`known`), so that the API can refuse to undo
 * somebody else's change. `learn` tells what it is now; after that, sending again replaces it.
 */
export function useUpdateWebhook(shown: Webhook, values: WebhookValues) {
  const queries = useQueryClient();
  const [known, learn] = useState(shown);
  const update = useMutation({
    mutationFn: (changes: Changes) =>
      sendJson("PATCH", webhookPath(shown.id), changes, webhook, versionToChange(known, shown)),
    onSuccess: (updated) => {
      learn(updated);
      cacheWebhook(queries, updated);
    },
  });
  return { update, changes: changesOf(known, values), known, learn };
}

/** What else was done on this page, such as switching it off, is no reason to ask. */
function versionToChange(known: Webhook, shown: Webhook): number {
  return setUpOf(known) === setUpOf(shown) ? Math.max(known.version, shown.version) : known.version;
}

function setUpOf({ url, description, events }: Webhook): string {
  return JSON.stringify([url, description, events]);
}

function changesOf(known: Webhook, values: WebhookValues): Changes {
  const [url, description, events] = [values.url.trim(), values.description.trim() || null, eventsOf(values.events)];
  return {
    ...(url !== known.url && { url }),
    ...(description !== known.description && { description }),
    ...(JSON.stringify(events) !== JSON.stringify(eventsOf(known.events)) && { events }),
  };
}
