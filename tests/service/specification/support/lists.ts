import { create, ENTITY_NAMES } from "@/tests/service/specification/support/entities";
import type { Api, Page } from "@/tests/service/specification/support/service";

/** A list endpoint: its path, and the name of its records' id. */
export interface List {
  path: string;
  id: string;
  /** The name of the time by which records are ordered. Missing if the records do not have it. */
  time?: string;
  /** True if the endpoint is documented to return the oldest record first. */
  oldestFirst?: boolean;
}

/** An address where nothing listens. */
export const NOWHERE = "http://127.0.0.1:9/hooks";

/** The lists of a migration, whose time is not what they are ordered by, if they have one. */
const OF_MIGRATION = ["errors", "conflicts", "duplicates", "history", "undo/kept"];

/** Every list of the reference, with more than one record each if a test can create them. */
export async function listsOf(api: Api): Promise<List[]> {
  const thread = await create(api, "cases");
  for (const body of ["first", "second", "third"]) await api.must("POST", `/cases/${thread.id}/comments`, { body });
  const deal = await create(api, "opportunities");
  for (const stage of ["proposal", "negotiation"]) await api.must("PATCH", `/opportunities/${deal.id}`, { stage });
  const migrations = await api.must<Page<{ migration_id: string }>>("GET", "/migration?limit=1");
  const webhook = await api.must("POST", "/webhooks", { url: NOWHERE, events: ["account.created"], active: false });
  for (let i = 0; i < 2; i++) await api.must("POST", `/webhooks/${webhook.id}/test`);
  for (let i = 0; i < 3; i++) {
    const { id } = await create(api, "accounts");
    await api.must("DELETE", `/accounts/${id}`);
  }
  return [
    ...ENTITY_NAMES.map((entity) => ({ path: `/${entity}`, id: "id", time: "created_at" })),
    { path: `/cases/${thread.id}/comments`, id: "id", time: "created_at", oldestFirst: true },
    { path: `/opportunities/${deal.id}/stage_changes`, id: "id", time: "changed_at" },
    { path: "/events", id: "id", time: "timestamp" },
    { path: "/deleted_records", id: "id" },
    { path: "/files", id: "id" },
    { path: "/users", id: "id" },
    { path: "/webhooks", id: "id", time: "created_at" },
    { path: `/webhooks/${webhook.id}/deliveries`, id: "event_id", time: "created_at" },
    { path: "/migration", id: "migration_id", time: "created_at" },
    { path: "/migration/connections", id: "connection_id", time: "created_at" },
    ...migrations.data.flatMap(({ migration_id }) =>
      OF_MIGRATION.map((list) => ({ path: `/migration/${migration_id}/${list}`, id: "id" })),
    ),
  ];
}

/** Deletes every webhook with that endpoint. */
export async function deleteWebhooks(api: Api, url: string): Promise<void> {
  const webhooks = await api.all("/webhooks");
  for (const webhook of webhooks) if (webhook.url === url) await api.must("DELETE", `/webhooks/${webhook.id}`);
}
