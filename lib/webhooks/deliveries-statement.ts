import { DELIVERY_COLUMNS } from "@/lib/webhooks/delivery-view";

/** $1 and $2: the webhook. $3: the cursor, or the highest id. $4: how many. */
const OF_WEBHOOK = "d.organization_id = $1 AND d.webhook_id = $2 AND d.event_id < $3";
const NEWEST = "ORDER BY event_id DESC LIMIT $4";

/** The newest deliveries of a webhook. */
export const ALL_DELIVERIES = `SELECT ${DELIVERY_COLUMNS} FROM webhook_deliveries d WHERE ${OF_WEBHOOK} ${NEWEST}`;

/** $5: states, $6: types. Of each state and type the next ones are read from the one index, so that any filter is a few ranges of it, and a page's worth of each is sorted. */
export const FILTERED_DELIVERIES = `
  SELECT ${DELIVERY_COLUMNS} FROM (
    SELECT found.* FROM unnest($5::webhook_delivery_state[]) AS s (state) CROSS JOIN unnest($6::text[]) AS t (type)
    CROSS JOIN LATERAL (SELECT d.* FROM webhook_deliveries d WHERE ${OF_WEBHOOK} AND d.state = s.state AND d.type = t.type ${NEWEST}) AS found
    ${NEWEST}
  ) AS d ORDER BY d.event_id DESC`;
