import { EVENT_EXAMPLE, WEBHOOK_EXAMPLE } from "@/lib/http/openapi/examples/webhooks";
import { TEST_EVENT } from "@/lib/webhooks/catalogue";
import { signatureHeader } from "@/lib/webhooks/sign";

/** By which the printed request is signed, so that a reader can try a verifier on it. */
export const EXAMPLE_SECRET = "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";

const { id, api_version, organization_id } = EVENT_EXAMPLE;
const timestamp = String(EVENT_EXAMPLE.timestamp);
const OBJECT = { webhook_id: WEBHOOK_EXAMPLE.id, message: "This is a test. What happens to records comes in the same form." };
const BODY = JSON.stringify({ id, type: TEST_EVENT, timestamp, api_version, organization_id, data: { object: OBJECT, previous: null } });

/** A test event as an endpoint gets it: headers, an empty line, and the body byte for byte. */
export function receivedRequest(): string {
  const seconds = Math.floor(Date.parse(timestamp) / 1000);
  const { host, pathname } = new URL(WEBHOOK_EXAMPLE.url);
  return `POST ${pathname} HTTP/1.1
host: ${host}
content-type: application/json
user-agent: CRM-Webhooks/1
webhook-id: ${id}
webhook-timestamp: ${seconds}
webhook-signature: ${signatureHeader([EXAMPLE_SECRET], { id, timestamp: seconds, body: BODY })}

${BODY}`;
}
