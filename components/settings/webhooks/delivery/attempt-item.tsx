import { Badge, Stack, Text } from "@mantine/core";
import { useState } from "react";

import classes from "@/components/settings/webhooks/delivery/attempt-item.module.css";
import { HeaderList } from "@/components/settings/webhooks/delivery/header-list";
import { CodeBlock } from "@/components/ui/copy/code-block";
import { Summary } from "@/components/ui/layout/summary";
import { Ago } from "@/components/ui/text/ago";
import { Breakable } from "@/components/ui/text/breakable";
import { formatNumber } from "@/components/ui/text/format";
import type { WebhookDeliveryDetail } from "@/lib/webhooks/deliveries/delivery-schema";

type Attempt = WebhookDeliveryDetail["attempts_log"][number];

/** One attempt: its outcome, and the whole answer if there was one. The receiver's answer is shown as text only. */
export function AttemptItem({ attempt, isOpened }: { attempt: Attempt; isOpened: boolean }) {
  const [isOpen, setOpen] = useState(isOpened);
  const { number, attempted_at, latency_ms, status, error } = attempt;
  return (
    <li className={classes.item}>
      <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <Summary className={classes.summary} arrowSize={16}>
          <span className={classes.outcome}>
            <b>Attempt {number}</b>
            <Badge color={error === null ? "pine" : "rust"}>{status ?? "No answer"}</Badge>
            <span>{error ?? "Delivered."}</span>
          </span>
          <span className={classes.when}>
            <Ago iso={attempted_at} />, {formatNumber(latency_ms)} ms
          </span>
        </Summary>
        <div className={classes.details}>{isOpen && <Exchange attempt={attempt} />}</div>
      </details>
    </li>
  );
}

function Exchange({ attempt }: { attempt: Attempt }) {
  return (
    <Stack gap="sm">
      <Text size="sm">
        Sent to <Breakable text={attempt.url} kind="url" />
      </Text>
      {attempt.status === null ? <Text size="sm">There was no answer.</Text> : <Answer attempt={attempt} />}
    </Stack>
  );
}

function Answer({ attempt: { response_headers, response_body } }: { attempt: Attempt }) {
  return (
    <>
      {response_headers && (
        <div>
          <Text size="sm" fw={600} mb={4}>
            Headers of the answer
          </Text>
          <HeaderList headers={response_headers} />
        </div>
      )}
      <div>
        <Text size="sm" fw={600} mb={4}>
          Body of the answer
        </Text>
        {response_body ? (
          <CodeBlock text={response_body} what="body of the answer" />
        ) : (
          <Text size="sm">It had none.</Text>
        )}
      </div>
    </>
  );
}
