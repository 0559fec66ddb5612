"use client";

import { Group, Paper, Stack, Title } from "@mantine/core";
import { useEffect, useRef } from "react";

import { EventCodes } from "@/components/settings/webhooks/event-codes";
import { formatOf } from "@/components/settings/webhooks/example/secret-format";
import { VerifyExample } from "@/components/settings/webhooks/example/verify-example";
import { SendTest } from "@/components/settings/webhooks/manage/send-test";
import { Unsigned } from "@/components/settings/webhooks/secret/unsigned";
import { nameOf } from "@/components/settings/webhooks/webhook";
import { NewSecret } from "@/components/ui/copy/new-secret";
import { Fact, Facts } from "@/components/ui/layout/facts";
import { Page } from "@/components/ui/layout/page";
import { Breakable } from "@/components/ui/text/breakable";
import { LinkButton } from "@/components/ui/text/links";
import type { WebhookWithSecret } from "@/lib/webhooks/endpoints/webhook-schema";

interface CreatedWebhookProps {
  webhook: WebhookWithSecret;
  /** The reader's own secret; null when it was generated, or there is none. */
  ownSecret: string | null;
}

/** What a receiver needs to know of a new webhook. A generated secret is shown here and never again. */
export function CreatedWebhook({ webhook, ownSecret }: CreatedWebhookProps) {
  const title = useRef<HTMLHeadingElement>(null);
  const { id, secret, is_signed } = webhook;
  // A generated secret takes the focus itself.
  useEffect(() => {
    if (!secret) title.current?.focus();
  }, [secret]);
  return (
    <Page
      title={nameOf(webhook)}
      lead="The webhook is created and switched on."
      parent={{ href: "/settings/webhooks", name: "Webhooks" }}
    >
      {secret && (
        <NewSecret secret={secret} what="secret">
          the service stores it encrypted, to sign with, and never shows it again. If it gets lost, rotate it on the
          webhook's page.
        </NewSecret>
      )}
      {!is_signed && <Unsigned />}
      <SetUp webhook={webhook} />
      <Paper withBorder p="lg">
        <Stack>
          <Title order={2} ref={title} tabIndex={-1}>
            {is_signed ? "Receive and verify" : "Receive"}
          </Title>
          <VerifyExample format={formatOf(is_signed, secret ?? ownSecret)} />
        </Stack>
      </Paper>
      <Paper withBorder p="lg">
        <Title order={2} mb="sm">
          Try it
        </Title>
        <SendTest webhook={webhook} />
      </Paper>
      <Group justify="flex-end">
        <LinkButton href={`/settings/webhooks/${id}`}>Done</LinkButton>
      </Group>
    </Page>
  );
}

function SetUp({ webhook: { url, events } }: { webhook: WebhookWithSecret }) {
  return (
    <Paper withBorder p="lg">
      <Facts>
        <Fact label="Endpoint">
          <Breakable text={url} kind="url" />
        </Fact>
        <Fact label="Events">
          <EventCodes events={events} />
        </Fact>
      </Facts>
    </Paper>
  );
}
