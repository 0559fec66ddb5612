import { env } from "@/lib/env";
import { DELIVERY_DAYS } from "@/lib/webhooks/deliveries/delivery-schema";
import { TEST_EVENT } from "@/lib/webhooks/event-types";
import { TIMEOUT_MS } from "@/lib/webhooks/sending/send";

const UNITS = [
  { name: "hour", seconds: 3600 },
  { name: "minute", seconds: 60 },
  { name: "second", seconds: 1 },
];

/** "5 minutes", in the largest unit that leaves no rest. */
function duration(seconds: number): string {
  const unit = UNITS.find((each) => seconds >= each.seconds && seconds % each.seconds === 0) ?? {
    name: "second",
    seconds: 1,
  };
  const count = seconds / unit.seconds;
  return `${count} ${unit.name}${count === 1 ? "" : "s"}`;
}

/** How a signature is made, in Markdown. */
export const SIGNATURES = `
A verifier of your own needs no more than this:

- What is signed is \`webhook-id\`, \`webhook-timestamp\` and the body, joined by dots: \`{webhook-id}.{webhook-timestamp}.{body}\`. Take the body as it came: once parsed and written anew, it would not verify.
- The key is made of the secret. Of one that begins with \`whsec_\`, which all generated ones do, it is what follows, decoded from base64. Any other secret is the key as it stands, in bytes.
- A signature is \`v1,\` and the base64 of the HMAC-SHA256. \`webhook-signature\` may hold several, parted by spaces, as it does for a while after the secret was rotated: one that is right is enough.
- Refuse what has a \`webhook-timestamp\` of more than five minutes ago, so that nobody sends again what they have overheard.
`;

/** What becomes of a delivery, in Markdown. `waits` are the seconds before each further attempt. */
export function deliveryRules(waits: readonly number[] = env.WEBHOOK_RETRY_SECONDS): string {
  return `
## Answers and retries

- Any 2xx within ${TIMEOUT_MS / 1000} seconds says that the event has arrived. Answer first, and do what takes long afterwards.
- ${waits.length === 0 ? NO_RETRY : retries(waits)}
- \`Retry-After\` with 429 or 503, in seconds or as a date, makes the next wait longer, up to a day.
- Redirects are not followed: a 3xx is a failed attempt. Give the webhook the new address instead.
- 410 says that nobody wants events there any more: the webhook is switched off at once. It is also switched off when nothing has arrived for five days, and when the app that named its endpoint loses its access.
- What did not arrive is not lost: for ${DELIVERY_DAYS} days a delivery can be sent again by \`POST /webhooks/{id}/deliveries/{event_id}/resend\`, and everything since a moment by \`POST /webhooks/{id}/recover\`.

## Try it

\`POST /webhooks/{id}/test\` sends \`${TEST_EVENT}\`, like the request above, the way that all events go. No webhook subscribes to it, and it is sent even when the webhook is switched off. Take it as done by any 2xx, and do nothing else for it.
`;
}

const NO_RETRY = "Anything else is a failed attempt, and so is no answer. This service is set up not to try again.";

function retries(waits: readonly number[]): string {
  return (
    "Anything else is a failed attempt, and so is no answer. It is tried again after " +
    `${waits.map(duration).join(", then ")}, ` +
    `${waits.length === 1 ? "" : "each "}a fifth more or less; after that the delivery has failed.`
  );
}
