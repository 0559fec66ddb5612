import { randomUUID } from "node:crypto";

import type { Api, Stored } from "@/tests/service/specification/support/service";

/** The eight record entities by the paths of their lists in /docs, and the fields that a record of each needs. */
const ENTITIES = {
  opportunities: () => ({ name: named("Opportunity"), stage: "prospecting", close_date: "2027-03-31" }),
  cases: () => ({ subject: named("Case") }),
  leads: () => ({ last_name: named("Lead"), company: named("Company") }),
  contacts: () => ({ last_name: named("Contact") }),
  accounts: () => ({ name: named("Account") }),
  activities: () => ({ type: "task", subject: named("Activity") }),
  case_comments: () => ({ body: named("Comment") }),
  products: () => ({ name: named("Product") }),
} satisfies Record<string, () => Record<string, unknown>>;

export type Entity = keyof typeof ENTITIES;

export const ENTITY_NAMES = Object.keys(ENTITIES) as Entity[];

function named(what: string): string {
  return `Specification ${what} ${randomUUID()}`;
}

/** Creates a record. A comment gets a new case. */
export async function create(api: Api, entity: Entity, fields: Record<string, unknown> = {}): Promise<Stored> {
  const parent = entity === "case_comments" && !fields.case_id ? { case_id: (await create(api, "cases")).id } : {};
  return api.must("POST", `/${entity}`, { ...ENTITIES[entity](), ...parent, ...fields });
}

/** Creates records concurrently, so that created_at alone cannot determine their order. */
export async function createAtOnce(api: Api, entity: Entity, count: number): Promise<Stored[]> {
  const parent = entity === "case_comments" ? { case_id: (await create(api, "cases")).id } : {};
  const items = Array.from({ length: count }, () => ({ action: "create", data: { ...ENTITIES[entity](), ...parent } }));
  const { results } = await api.must<{ results: { record: Stored }[] }>("POST", `/${entity}/batch`, {
    mode: "all_or_nothing",
    items,
  });
  return results.map(({ record }) => record);
}
