"use client";

import { Button, Group, Radio, Stack, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type SubmitEvent, useRef, useState } from "react";

import { sendJson } from "@/components/api/request";
import { OWN_TIME, SINCE_CHOICES, sinceOf } from "@/components/settings/webhooks/deliveries/recover/since";
import { refreshWebhook, webhookPath } from "@/components/settings/webhooks/use-webhooks";
import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import { DialogActions } from "@/components/ui/form/dialog-actions";
import { TimeInput } from "@/components/ui/form/time-input";
import { useHeldOpen } from "@/components/ui/overlay/dialog";
import { formatCount } from "@/components/ui/text/format";
import { toLocalTime } from "@/components/ui/text/time-zone";
import { DELIVERY_DAYS } from "@/lib/webhooks/deliveries/limits";
import type { Webhook } from "@/lib/webhooks/endpoints/webhook-schema";

/** Asks since when, then queues what was not delivered since then. */
export function RecoverForm({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const [choice, setChoice] = useState<string>("day");
  const [own, setOwn] = useState(() => toLocalTime(new Date(Date.now() - 3_600_000).toISOString()));
  const [fault, setFault] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const recover = useRecover(webhook.id, onClose);
  useHeldOpen(recover.isPending, choice === OWN_TIME);
  if (!webhook.active) return <FirstSwitchOn onClose={onClose} />;
  const type = (value: string) => {
    setOwn(value);
    setFault(null);
  };
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const since = sinceOf(choice, own);
    if (since) return recover.mutate(since);
    setFault(`Choose a time within the last ${DELIVERY_DAYS} days.`);
    field.current?.focus();
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {recover.isError && <ProblemAlert error={recover.error} takesFocus />}
        <Text size="sm">
          Sends now what has failed or waits to be tried again, and the events that happened while the webhook was off.
          Other pending deliveries keep their turn, and delivered ones are not sent again.
        </Text>
        <Text size="sm">
          What it subscribes to now counts: of these types, events from before it subscribed to them are sent too.
        </Text>
        <SinceWhen value={choice} onChange={setChoice} />
        {choice === OWN_TIME && (
          <TimeInput
            ref={field}
            label="Time"
            value={own}
            error={fault}
            onChange={(event) => type(event.currentTarget.value)}
          />
        )}
        <Group justify="flex-end">
          <DialogActions isPending={recover.isPending} onCancel={onClose}>
            Recover
          </DialogActions>
        </Group>
      </Stack>
    </form>
  );
}

function SinceWhen({ value: chosen, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <Radio.Group label="Since when?" value={chosen} onChange={onChange}>
      <Stack gap="sm" mt="sm">
        {SINCE_CHOICES.map(({ value, label }) => (
          <Radio key={value} value={value} label={label} data-autofocus={value === chosen || undefined} />
        ))}
        <Radio value={OWN_TIME} label="Since a time of your own" />
      </Stack>
    </Radio.Group>
  );
}

function FirstSwitchOn({ onClose }: { onClose: () => void }) {
  return (
    <Stack>
      <Text size="sm">The webhook is off. Switch it on first; then what it has missed can be sent.</Text>
      <Group justify="flex-end">
        <Button onClick={onClose} data-autofocus>
          Close
        </Button>
      </Group>
    </Stack>
  );
}

function useRecover(id: string, onDone: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (since: Date) =>
      sendJson<{ queued: number }>("POST", `${webhookPath(id)}/recover`, { since: since.toISOString() }),
    onSuccess: ({ queued }) => {
      refreshWebhook(queries, id);
      notifications.show(
        queued === 0
          ? {
              title: "Nothing to recover",
              message: "There is nothing else to send. Pending deliveries keep their turn.",
            }
          : { title: `${formatCount(queued, "delivery", "deliveries")} queued`, message: "They are being sent now." },
      );
      onDone();
    },
  });
}
