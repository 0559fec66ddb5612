import { API_VERSION } from "@/lib/event-format";
import { IDS, RECORD_EXAMPLES } from "@/lib/http/openapi/examples/records";

export const EVENT_EXAMPLE = {
  id: "019d017a-68dc-77d3-9554-c1f60638d6d7",
  type: "opportunity.stage_changed",
  timestamp: RECORD_EXAMPLES.opportunities.stage_changed_at,
  api_version: API_VERSION,
  organization_id: "019bb137-25a0-787c-b45c-05ad389d5890",
  data: { object: RECORD_EXAMPLES.opportunities, previous: { stage: "qualification", probability: 20 } },
};

export const WEBHOOK_EXAMPLE = {
  id: "019cf0f2-7480-7c1e-8a53-6d1b1f0a9c44",
  created_at: "2026-03-15T10:00:00.000Z",
  updated_at: "2026-03-15T10:00:00.000Z",
  version: 1,
  url: "https://orders.neckar-pumpen.example/hooks/crm",
  description: "Tells the order desk",
  events: ["opportunity.*", "case.escalated"],
  active: true,
  disabled_at: null,
  disabled_reason: null,
  url_set_by: "grace.weber@neckar-pumpen.example",
  client_id: null,
  client_name: null,
  is_signed: true,
  previous_secret_expires_at: null,
  last_delivered_at: "2026-03-18T15:04:58.310Z",
  last_failed_at: "2026-03-18T15:04:52.941Z",
  failing_since: null,
  pending_deliveries: 0,
  failed_deliveries: 0,
};

const FAILED = {
  attempted_at: "2026-03-18T15:04:52.730Z",
  latency_ms: 211,
  status: 502,
  error: "The endpoint answered 502; a delivery needs a 2xx.",
};

const ARRIVED = { attempted_at: "2026-03-18T15:04:58.222Z", latency_ms: 88, status: 200, error: null };

const DELIVERY = {
  event_id: EVENT_EXAMPLE.id,
  event: EVENT_EXAMPLE.type,
  state: "delivered",
  created_at: EVENT_EXAMPLE.timestamp,
  attempts: 2,
  next_attempt_at: null,
  last_attempt: ARRIVED,
};

const DETAIL = {
  ...DELIVERY,
  request: {
    url: WEBHOOK_EXAMPLE.url,
    headers: { "content-type": "application/json", "user-agent": "CRM-Webhooks/1", "webhook-id": EVENT_EXAMPLE.id },
    body: EVENT_EXAMPLE,
  },
  attempts_log: [
    {
      number: 2,
      ...ARRIVED,
      url: WEBHOOK_EXAMPLE.url,
      response_headers: { "content-type": "text/plain" },
      response_body: "ok",
    },
    {
      number: 1,
      ...FAILED,
      url: WEBHOOK_EXAMPLE.url,
      response_headers: { "content-type": "text/html" },
      response_body: "<h1>Bad Gateway</h1>",
    },
  ],
};

/** A secret for the examples. */
const NO_SECRET = "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";

const FRESH = { ...WEBHOOK_EXAMPLE, last_delivered_at: null, last_failed_at: null };

/** What the operations of webhooks return; `page` makes a page of an item. */
export function webhookExamples(page: (item: unknown) => unknown): Record<string, unknown> {
  return {
    create_webhook: { ...FRESH, secret: NO_SECRET },
    list_webhooks: page(WEBHOOK_EXAMPLE),
    get_webhook: WEBHOOK_EXAMPLE,
    update_webhook: {
      ...WEBHOOK_EXAMPLE,
      updated_at: "2026-03-19T08:20:00.000Z",
      version: 2,
      events: ["case.escalated"],
    },
    delete_webhook: { id: WEBHOOK_EXAMPLE.id, deleted: true },
    rotate_webhook_secret: {
      ...WEBHOOK_EXAMPLE,
      updated_at: "2026-03-19T08:20:00.000Z",
      version: 2,
      previous_secret_expires_at: "2026-03-20T08:20:00.000Z",
      secret: NO_SECRET,
    },
    test_webhook: { event_id: IDS.cursor },
    recover_webhook: { queued: 128 },
    list_webhook_deliveries: page(DELIVERY),
    get_webhook_delivery: DETAIL,
    resend_webhook_delivery: { ...DELIVERY, state: "pending", next_attempt_at: "2026-03-19T08:20:00.000Z" },
  };
}
