import type { ReactNode } from "react";

import type { AuditEvent } from "@/components/settings/audit-log/audit-event";
import { Person } from "@/components/settings/audit-log/sentence/person";
import { formatExact } from "@/components/ui/text/format";

/** A webhook by the host of its endpoint. The rest of the address may hold a token, so it is not stored. */
function Webhook({ event: { details } }: { event: AuditEvent }) {
  return (
    <>
      webhook to <bdi>{typeof details.host === "string" ? details.host : "an endpoint"}</bdi>
    </>
  );
}

const FIELDS: Record<string, string> = { url: "endpoint", events: "events", description: "description" };

function changed({ details }: AuditEvent): string {
  const names = Array.isArray(details.changed) ? details.changed.map(String) : [];
  const what = names.filter((name) => name in FIELDS).map((name) => FIELDS[name]);
  const fields = what.length > 0 ? `changed the ${what.join(", the ")} of the ` : "";
  if (!names.includes("active")) return fields || "changed the ";
  const switched = details.active === true ? "switched on" : "switched off";
  return fields ? `${switched}, and ${fields}` : `${switched} the `;
}

/** What happens to webhooks, as sentences. */
export const WEBHOOK_SENTENCES: Record<string, (event: AuditEvent) => ReactNode> = {
  "webhook.created": (event) => (
    <>
      <Person event={event} /> created the <Webhook event={event} />
    </>
  ),
  "webhook.updated": (event) => (
    <>
      <Person event={event} /> {changed(event)}
      <Webhook event={event} />
    </>
  ),
  "webhook.secret_rotated": (event) => (
    <>
      <Person event={event} /> rotated the secret of the <Webhook event={event} />
    </>
  ),
  "webhook.resent": (event) => (
    <>
      <Person event={event} /> resent a delivery to the <Webhook event={event} />
    </>
  ),
  "webhook.recovered": (event) => (
    <>
      <Person event={event} /> recovered what the <Webhook event={event} /> had missed
      {typeof event.details.since === "string" && ` since ${formatExact(event.details.since)}`}
    </>
  ),
  "webhook.deleted": (event) => (
    <>
      <Person event={event} /> deleted the <Webhook event={event} />
    </>
  ),
  "webhook.disabled": (event) => (
    <>
      <Person event={event} /> switched off the <Webhook event={event} />: {whyDisabled(event)}
    </>
  ),
};

/** Why it was switched off. With `access_ended`, the person ended the access of the app that had set the endpoint. */
function whyDisabled({ details, client_name }: AuditEvent): ReactNode {
  if (details.reason === "gone") return "it answered that it is gone";
  if (details.reason !== "access_ended") return "nothing had arrived there for five days";
  return (
    <>
      “<bdi>{client_name ?? "an app"}</bdi>”, which had set that endpoint, has lost its access
    </>
  );
}
