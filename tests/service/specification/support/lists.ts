import { create, ENTITY_NAMES } from "@/tests/service/specification/support/entities";
import type { Api, Page } from "@/tests/service/specification/support/service";

/** A list endpoint: where it is, and what its records call their id. */
export interface List {
  path: string;
  id: string;
  /** What its records call the moment by which they are ordered; the key is absent where they show none. */
  time?: string;
  /** Stated for the endpoint: the first one first. */
  oldestFirst?: boolean;
}

/** An endpoint at which nothing listens. */
export const NOWHERE = "http://127.0.0.1:9/hooks";

/** Every list of the reference, each with more than one record where a test can make some. */
export async function listsOf(api: Api): Promise<List[]> {
  const thread = await create(api, "cases");
  for (const body of ["first", "second", "third"]) await api.must("POST", `/cases/${thread.id}/comments`, { body });
  const deal = await create(api, "opportunities");
  for (const stage of ["proposal", "negotiation"]) await api.must("PATCH", `/opportunities/${deal.id}`, { stage });
  const migrations = await api.must<Page<{ migration_id: string }>>("GET", "/migration?limit=1");
  const webhook = await api.must("POST", "/webhooks", { url: NOWHERE, events: ["account.created"], active: false });
  for (let i = 0; i < 2; i++) await api.must("POST", `/webhooks/${webhook.id}/test`);
  return [
    ...ENTITY_NAMES.map((entity) => ({ path: `/${entity}`, id: "id", time: "created_at" })),
    { path: `/cases/${thread.id}/comments`, id: "id", time: "created_at", oldestFirst: true },
    { path: `/opportunities/${deal.id}/stage_changes`, id: "id", time: "changed_at" },
    { path: "/events", id: "id", time: "timestamp" },
    { path: "/users", id: "id" },
    { path: "/webhooks", id: "id", time: "created_at" },
    { path: `/webhooks/${webhook.id}/deliveries`, id: "event_id", time: "created_at" },
    { path: "/migration", id: "migration_id", time: "created_at" },
    { path: "/migration/connections", id: "connection_id", time: "created_at" },
    ...migrations.data.map(({ migration_id }) => ({ path: `/migration/${migration_id}/errors`, id: "id" })),
  ];
}

/** Leaves no webhook behind that sends there. */
export async function deleteWebhooks(api: Api, url: string): Promise<void> {
  const webhooks = await api.all("/webhooks");
  for (const webhook of webhooks) if (webhook.url === url) await api.must("DELETE", `/webhooks/${webhook.id}`);
}
