import { DATA_OBJECTS } from "../objects/registry";
import type { Json } from "../schema/field";
import type { SObject } from "../schema/sobject";
import { openOrg, type Org } from "./population";

const orgs = new Map<string, Org>();

function orgOf(seed: number, size: number): Org {
  const key = `${seed}/${size}`;
  const org = orgs.get(key) ?? openOrg(seed, size);
  orgs.set(key, org);
  return org;
}

function objectNamed(name: string): SObject {
  const object = DATA_OBJECTS.get(name.toLowerCase());
  if (!object) throw new Error(`The sandbox org has no object ${name}.`);
  return object;
}

/** Every field of one record in an unchanged org of that seed and size. Tests compare answers with it. */
export function recordAt(seed: number, size: number, object: string, ordinal: number): Record<string, Json> {
  const org = orgOf(seed, size);
  return Object.fromEntries(objectNamed(object).fields.map((field) => [field.name, field.value(org, ordinal)]));
}

export interface Counts {
  /** Number of ordinals: all records, deleted ones included. */
  readonly total: number;
  /** Not deleted, archived ones included: the records of a complete migration. */
  readonly live: number;
  readonly deleted: number;
  readonly archived: number;
  /** Neither deleted nor archived: the records that query returns and recordCount counts. */
  readonly visible: number;
}

/** Counts the records of an object in an unchanged org. */
export function countOf(seed: number, size: number, object: string): Counts {
  const org = orgOf(seed, size);
  const definition = objectNamed(object);
  const total = definition.total(org);
  const counts = { total, live: 0, deleted: 0, archived: 0, visible: 0 };
  for (let ordinal = 0; ordinal < total; ordinal++) {
    const deleted = definition.isDeleted(org, ordinal);
    const archived = definition.isArchived(org, ordinal);
    if (deleted) counts.deleted += 1;
    else counts.live += 1;
    if (archived && !deleted) counts.archived += 1;
    if (!archived && !deleted) counts.visible += 1;
  }
  return counts;
}
