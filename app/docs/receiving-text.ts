import { env } from "@/lib/env";
import { TEST_EVENT } from "@/lib/event-format";
import { DELIVERY_DAYS } from "@/lib/webhooks/deliveries/limits";
import { TIMEOUT_MS } from "@/lib/webhooks/sending/send";

const UNITS = [
  { name: "hour", seconds: 3600 },
  { name: "minute", seconds: 60 },
  { name: "second", seconds: 1 },
];

/** "5 minutes": in the largest unit that divides the seconds. */
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
To write a verifier of your own, you need no more than this:

- The signed text is \`webhook-id\`, \`webhook-timestamp\` and the body, joined by dots:
  \`{webhook-id}.{webhook-timestamp}.{body}\`. Take the body unparsed: parsed and serialized again, it would not verify.
- The key comes from the secret. If the secret begins with \`whsec_\`, as all generated ones do, the key is the rest of
  it, decoded from base64. Any other secret is the key itself, as bytes.
- A signature is \`v1,\` and the base64 of the HMAC-SHA256. \`webhook-signature\` may hold several, separated by spaces,
  as it does for a while after the secret was rotated: one that matches is enough.
- Refuse a \`webhook-timestamp\` of more than five minutes ago, so that nobody can send an intercepted request again.
`;

/** What happens to a delivery, in Markdown. `waits` are the seconds before each further attempt. */
export function deliveryRules(waits: readonly number[] = env.WEBHOOK_RETRY_SECONDS): string {
  return `
## Answers and retries

- Any 2xx within ${TIMEOUT_MS / 1000} seconds means that the event is delivered. Answer first, and do slow work
  afterwards.
- ${waits.length === 0 ? NO_RETRY : retries(waits)}
- \`Retry-After\` with 429 or 503, in seconds or as a date, makes the next wait longer, up to a day.
- Redirects are not followed: a 3xx is a failed attempt. Give the webhook the new address instead.
- 410 means that the endpoint no longer wants events: the webhook is switched off at once. It is also switched off when
  the first failed attempt since the last delivered event was five days ago, and an event now fails for the fifth time
  or the last; and when the app that set its endpoint loses its access.
- An event that was not delivered is not lost: for ${DELIVERY_DAYS} days a delivery can be sent again by
  \`POST /webhooks/{id}/deliveries/{event_id}/resend\`, and everything since a given time by
  \`POST /webhooks/{id}/recover\`. One that is switched off must be switched on first: \`PATCH /webhooks/{id}\` with
  \`{"active": true}\`.

## Try it

\`POST /webhooks/{id}/test\` sends \`${TEST_EVENT}\`, like the request above, in the same way as any event. No webhook
subscribes to it, and it is sent even if the webhook is switched off. Answer it with any 2xx, and do nothing else.
`;
}

const NO_RETRY = "Anything else is a failed attempt, and so is no answer. This service is configured not to retry.";

function retries(waits: readonly number[]): string {
  return (
    "Anything else is a failed attempt, and so is no answer. It is repeated after " +
    `${waits.map(duration).join(", then ")}, ` +
    `${waits.length === 1 ? "" : "each "}a fifth more or less; after that the delivery has failed.`
  );
}
