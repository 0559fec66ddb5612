import type { Ask, Take } from "@/tests/http/matrix/support/ask";
import { makeWebhook } from "@/tests/http/matrix/support/made-webhook";
import type { Side } from "@/tests/http/matrix/support/side";

const byWebhook = async (take: Take) => ({
  path: { id: await take("{id}", async (side) => (await makeWebhook(side)).id) },
});

/** Both of the same webhook, unless one of the two belongs to the other side. */
async function byDelivery(take: Take) {
  const made = new Map<Side, ReturnType<typeof makeWebhook>>();
  const partOf = (part: "id" | "event_id") => async (side: Side) => {
    const webhook = made.get(side) ?? makeWebhook(side);
    made.set(side, webhook);
    return (await webhook)[part];
  };
  return { path: { id: await take("{id}", partOf("id")), event_id: await take("{event_id}", partOf("event_id")) } };
}

function endpoint({ marker }: Side, of: string) {
  return { url: `https://${marker}.example/${of}`, events: ["case.*"], description: `${marker} ${of}` };
}

const ONE = "/webhooks/{id}";
const DELIVERY = `${ONE}/deliveries/{event_id}`;

/** Operations of admins, also with access tokens. */
export const WEBHOOK_ASKS: readonly Ask[] = [
  {
    route: "GET /webhooks",
    build: async (_, side) => {
      await makeWebhook(side);
      return {};
    },
  },
  {
    route: "POST /webhooks",
    build: async (_, side) => ({ body: { ...endpoint(side, "new"), generate_secret: true } }),
  },
  { route: `GET ${ONE}`, build: byWebhook },
  {
    route: `PATCH ${ONE}`,
    build: async (take, side) => ({ ...(await byWebhook(take)), body: endpoint(side, "changed") }),
  },
  {
    route: `PATCH ${ONE}`,
    way: "switched off",
    build: async (take) => ({ ...(await byWebhook(take)), body: { active: false } }),
  },
  { route: `DELETE ${ONE}`, build: byWebhook },
  { route: `POST ${ONE}/rotate_secret`, build: byWebhook },
  { route: `POST ${ONE}/test`, build: byWebhook },
  {
    route: `POST ${ONE}/recover`,
    build: async (take) => ({
      ...(await byWebhook(take)),
      body: { since: new Date(Date.now() - 3_600_000).toISOString() },
    }),
  },
  { route: `GET ${ONE}/deliveries`, build: byWebhook },
  {
    route: `GET ${ONE}/deliveries`,
    way: "by state and event",
    build: async (take) => ({ ...(await byWebhook(take)), query: { state: "failed", event: "webhook.test" } }),
  },
  { route: `GET ${DELIVERY}`, build: byDelivery },
  { route: `POST ${DELIVERY}/resend`, build: byDelivery },
];
