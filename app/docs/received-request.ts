import { TEST_EVENT } from "@/lib/event-format";
import { EVENT_EXAMPLE, WEBHOOK_EXAMPLE } from "@/lib/http/openapi/examples/webhooks";
import { testEventObject } from "@/lib/webhooks/event-types";
import { attemptHeaders } from "@/lib/webhooks/sending/send";

/** Signs the printed request, so that a reader can test a verifier with it. */
export const EXAMPLE_SECRET = "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";

const { id, api_version, organization_id } = EVENT_EXAMPLE;
const timestamp = String(EVENT_EXAMPLE.timestamp);
const BODY = JSON.stringify({
  id,
  type: TEST_EVENT,
  timestamp,
  api_version,
  organization_id,
  data: { object: testEventObject(WEBHOOK_EXAMPLE.id), previous: null },
});

/** A test event as an endpoint receives it: headers, an empty line, and the body byte for byte. */
export function receivedRequest(): string {
  const { host, pathname } = new URL(WEBHOOK_EXAMPLE.url);
  const headers = Object.entries({
    host,
    ...attemptHeaders({ secrets: [EXAMPLE_SECRET], id, body: BODY }, new Date(timestamp)),
  });
  return `POST ${pathname} HTTP/1.1\n${headers.map(([name, value]) => `${name}: ${value}\n`).join("")}\n${BODY}`;
}
