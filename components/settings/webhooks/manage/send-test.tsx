"use client";

import { Button, Group, Stack, Text } from "@mantine/core";
import { IconSend } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";

import { sendJson } from "@/components/api/request";
import { TestOutcome } from "@/components/settings/webhooks/manage/test-outcome";
import { refreshWebhook, webhookPath } from "@/components/settings/webhooks/use-webhooks";
import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import { once } from "@/components/ui/form/once";
import type { Webhook } from "@/lib/webhooks/endpoints/webhook-schema";

/** A button that sends a test event, with its outcome below. */
export function SendTest({ webhook: { id } }: { webhook: Pick<Webhook, "id"> }) {
  const queries = useQueryClient();
  const test = useMutation({
    mutationFn: () => sendJson<{ event_id: string }>("POST", `${webhookPath(id)}/test`, {}),
    onSuccess: () => refreshWebhook(queries, id),
  });
  return (
    <Stack gap="sm">
      <Group gap="md">
        <Button
          variant="default"
          leftSection={<IconSend size={16} stroke={1.7} aria-hidden />}
          loading={test.isPending}
          onClick={once(() => test.mutate())}
        >
          Send a test event
        </Button>
        <Text size="sm" c="dimmed">
          An event of the type webhook.test, sent like every other.
        </Text>
      </Group>
      {test.isError && <ProblemAlert error={test.error} takesFocus />}
      {test.data && <TestOutcome key={test.data.event_id} webhookId={id} eventId={test.data.event_id} />}
    </Stack>
  );
}
