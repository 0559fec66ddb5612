import { create, ENTITY_NAMES } from "@/tests/service/specification/support/entities";
import { analyzed } from "@/tests/service/specification/support/migration";
import type { Api } from "@/tests/service/specification/support/service";

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

/** The lists of a migration. None is ordered by a time that its records have. */
export const OF_MIGRATION = ["errors", "conflicts", "duplicates", "history", "undo/kept"];

/** Every list of the reference, with three records each if a test can create them. */
export async function listsOf(api: Api): Promise<List[]> {
  const thread = await create(api, "cases");
  for (const body of ["first", "second", "third"]) await api.must("POST", `/cases/${thread.id}/comments`, { body });
  const deal = await create(api, "opportunities");
  for (const stage of ["proposal", "negotiation"]) await api.must("PATCH", `/opportunities/${deal.id}`, { stage });
  const hook = { url: NOWHERE, events: ["account.created"], active: false };
  let [migration, webhook] = ["", ""];
  for (let i = 0; i < 3; i++) {
    ({ migration_id: migration } = await analyzed(api));
    ({ id: webhook } = await api.must("POST", "/webhooks", hook));
    const { id } = await create(api, "accounts");
    await api.must("DELETE", `/accounts/${id}`);
  }
  for (let i = 0; i < 3; i++) await api.must("POST", `/webhooks/${webhook}/test`);
  return [
    ...ENTITY_NAMES.map((entity) => ({ path: `/${entity}`, id: "id", time: "created_at" })),
    { path: `/cases/${thread.id}/comments`, id: "id", time: "created_at", oldestFirst: true },
    { path: `/opportunities/${deal.id}/stage_changes`, id: "id", time: "changed_at" },
    { path: "/events", id: "id", time: "timestamp" },
    { path: "/deleted_records", id: "id" },
    { path: "/files", id: "id" },
    { path: "/users", id: "id" },
    { path: "/webhooks", id: "id", time: "created_at" },
    { path: `/webhooks/${webhook}/deliveries`, id: "event_id", time: "created_at" },
    { path: "/migration", id: "migration_id", time: "created_at" },
    { path: "/migration/connections", id: "connection_id", time: "created_at" },
    ...OF_MIGRATION.map((list) => ({ path: `/migration/${migration}/${list}`, id: "id" })),
  ];
}

/** Deletes every webhook with that endpoint. */
export async function deleteWebhooks(api: Api, url: string): Promise<void> {
  const webhooks = await api.all("/webhooks");
  for (const webhook of webhooks) if (webhook.url === url) await api.must("DELETE", `/webhooks/${webhook.id}`);
}
