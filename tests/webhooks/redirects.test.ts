import { expect, test } from "vitest";

import { send } from "@/lib/webhooks/sending/send";
import { accepts, WebhookReceiver } from "@/tests/support/webhook-receiver";

test.each([301, 302, 303, 307, 308])(
  "a redirect (%i) is a failed attempt, and nothing is sent where it leads",
  async (status) => {
    await using inside = await WebhookReceiver.start(accepts);
    await using endpoint = await WebhookReceiver.start(
      (response) => void response.writeHead(status, { location: inside.url }).end(),
    );
    const attempt = await send({ url: endpoint.url, secrets: [], id: "x", body: "{}" });
    expect(attempt).toMatchObject({ status, error: expect.stringContaining("not followed") });
    expect([endpoint.received.length, inside.received.length]).toEqual([1, 0]);
  },
);
