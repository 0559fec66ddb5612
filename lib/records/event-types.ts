import type { Entity } from "@/lib/records/entity";
import { ENTITIES } from "@/lib/records/registry";
import type { ResourceName } from "@/lib/records/resources";

/** What happens to every record. One that is restored is `created`. */
const ACTIONS = ["created", "updated", "deleted"] as const;

/** What an action tells beside the change that it makes. */
const TOLD_BESIDE: Partial<Record<ResourceName, string>> = { opportunities: "stage_changed", cases: "escalated", leads: "converted" };

function typesOf({ singular, resource }: Entity): string[] {
  const beside = TOLD_BESIDE[resource];
  return [...ACTIONS, ...(beside === undefined ? [] : [beside])].map((action) => `${singular}.${action}`);
}

/** Every type of event: "account.created". */
export const EVENT_TYPES: readonly string[] = Object.values<Entity>(ENTITIES).flatMap(typesOf);

/** Whole entities: "account.*". */
export const EVENT_WILDCARDS: readonly string[] = [...new Set(EVENT_TYPES.map((type) => `${type.split(".")[0]}.*`))];

/** The types that a pattern stands for; none when it is neither a type nor `entity.*`. */
export function typesMatching(pattern: string): string[] {
  return EVENT_TYPES.filter((type) => type === pattern || pattern === `${type.split(".")[0]}.*`);
}
