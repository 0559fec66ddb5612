import { newId } from "@/lib/ids";
import { NEEDED } from "@/tests/support/factories";
import { deleteOperation } from "@/lib/records/operations";
import type { Entity } from "@/lib/records/schema/entity";
import type { Field } from "@/lib/records/schema/field";
import { ENTITIES } from "@/lib/records/schema/registry";
import { type ResourceName, RESOURCES } from "@/lib/records/schema/resources";
import { run } from "@/tests/records/support/write-operations";
import { pool } from "@/tests/support/owner";

import type { Ask, Outcome, Take } from "@/tests/http/matrix/support/ask";
import { makeMember, makeRecord, markedTexts, type Side } from "@/tests/http/matrix/support/side";

/** Bodies and queries with everything that a record can refer to. */

function fieldsOf(resource: ResourceName): [string, Field][] {
  return Object.entries<Field>((ENTITIES[resource] satisfies Entity).fields);
}

const referenced = new Map<string, Promise<string>>();

/** One of each kind and side is enough, since no request changes what its record refers to. */
function makeReferenced(side: Side, to: ResourceName | "users"): Promise<string> {
  const key = `${side.organizationId} ${to}`;
  const made = referenced.get(key) ?? (to === "users" ? makeMember(side) : makeRecord(side, to));
  referenced.set(key, made);
  return made;
}

/** The fields of a record with a reference wherever there can be one, taken at `at`: "" or "/items/0/data". */
async function bodyOf(
  resource: ResourceName,
  take: Take,
  side: Side,
  at = "",
  unique = true,
): Promise<Record<string, unknown>> {
  const body: Record<string, unknown> = { ...NEEDED[resource], ...markedTexts(side, resource) };
  for (const [name, field] of fieldsOf(resource)) {
    if (field.readOnly || (name === "ext_id" && !unique)) delete body[name];
    else if (field.references)
      body[name] = await take(`${at}/${name}`, (from) => makeReferenced(from, field.references ?? "users"));
    else if (field.unique)
      body[name] = await take(`${at}/${name}`, (from) => takenValue(from, resource, name, from === side));
  }
  return body;
}

/** A value of a record of the side; a free one for our own, since it must be unique. */
async function takenValue(side: Side, resource: ResourceName, name: string, isFree: boolean): Promise<string> {
  const value = markedTexts(side, resource)[name] ?? "";
  if (!isFree) await makeRecord(side, resource, { [name]: value });
  return value;
}

async function extIdOf(side: Side, resource: ResourceName): Promise<string> {
  const { ext_id = "" } = markedTexts(side, resource);
  await makeRecord(side, resource, { ext_id });
  return ext_id;
}

async function deletedRecord(side: Side, resource: ResourceName): Promise<string> {
  const id = await makeRecord(side, resource);
  await run(deleteOperation(resource), side.context, { id });
  return id;
}

/** Unique values of another organization are free here. */
function freeAt(resource: ResourceName, status: number, at = ""): Record<string, Outcome> {
  const unique = fieldsOf(resource).filter(([, field]) => field.unique && !field.readOnly);
  return Object.fromEntries(unique.map(([name]) => [`${at}/${name}`, { status }]));
}

function oneRecordAsks(resource: ResourceName): Ask[] {
  const id = (take: Take) => take("{id}", (side) => makeRecord(side, resource));
  const one = `/${resource}/{id}`;
  const expand = fieldsOf(resource).flatMap(([name, { references }]) => (references ? [name.replace(/_id$/, "")] : []));
  const patch = async (take: Take, side: Side) => ({
    path: { id: await id(take) },
    body: await bodyOf(resource, take, side),
  });
  const restored = (take: Take) => take("{id}", (side) => deletedRecord(side, resource));
  return [
    {
      route: `POST /${resource}`,
      build: async (take, side) => ({ body: await bodyOf(resource, take, side) }),
      outcomes: freeAt(resource, 201),
    },
    { route: `GET ${one}`, build: async (take) => ({ path: { id: await id(take) } }) },
    {
      route: `GET ${one}`,
      way: "expanded",
      build: async (take) => ({ path: { id: await id(take) }, query: { expand: expand.join(",") } }),
    },
    { route: `GET ${one}/provenance`, build: async (take) => ({ path: { id: await id(take) } }) },
    { route: `PATCH ${one}`, build: patch, outcomes: freeAt(resource, 200) },
    { route: `DELETE ${one}`, build: async (take) => ({ path: { id: await id(take) } }) },
    { route: `POST ${one}/restore`, build: async (take) => ({ path: { id: await restored(take) } }) },
  ];
}

function extIdAsks(resource: ResourceName): Ask[] {
  const route = `/${resource}/by_ext_id/{ext_id}`;
  const path = async (take: Take) => ({ ext_id: await take("{ext_id}", (side) => extIdOf(side, resource)) });
  return [
    { route: `GET ${route}`, build: async (take) => ({ path: await path(take) }) },
    {
      route: `PUT ${route}`,
      build: async (take, side) => ({ path: await path(take), body: await bodyOf(resource, take, side, "", false) }),
      // Another organization's external id is unused here: a record of our own is created.
      outcomes: { ...freeAt(resource, 200), "{ext_id}": { status: 201 } },
    },
  ];
}

function batchAsk(resource: ResourceName, mode: "all_or_nothing" | "per_item"): Ask {
  const free = [0, 1, 2].map((index) => freeAt(resource, 200, `/items/${index}/data`));
  const status = mode === "per_item" ? 200 : 400;
  const references = fieldsOf(resource).filter(([, { references, readOnly }]) => references && !readOnly);
  const refused = [0, 1, 2].flatMap((index) => references.map(([name]) => `/items/${index}/data/${name}`));
  return {
    route: `POST /${resource}/batch`,
    way: mode,
    async build(take, side) {
      const id = await take("/items/1/id", (from) => makeRecord(from, resource));
      const ext_id = await take("/items/2/ext_id", (from) => extIdOf(from, resource));
      const items = [
        { action: "create", data: await bodyOf(resource, take, side, "/items/0/data") },
        { action: "update", id, data: await bodyOf(resource, take, side, "/items/1/data") },
        { action: "upsert", ext_id, data: await bodyOf(resource, take, side, "/items/2/data", false) },
      ];
      return { body: { mode, items } };
    },
    outcomes: {
      ...Object.assign({}, ...free),
      "/items/2/ext_id": { status: 200 },
      ...Object.fromEntries([...refused, "/items/1/id"].map((pointer) => [pointer, { status, pointer }])),
    },
  };
}

/** The list's total shows what a filter finds beyond the page. */
const WITH_TOTAL = { include: "total" };

/** A way for each filter, since two together find nothing if one of them does not. */
function listAsks(resource: ResourceName, route: string, others: Record<string, string> = {}): Ask[] {
  const filters = fieldsOf(resource).filter(
    ([, { filterable, kind }]) => filterable && (kind === "text" || kind === "reference"),
  );
  const byFilter = filters.map(([name, field]): Ask => ({
    route,
    way: `by ${name}`,
    places: [`?${name}`],
    build: async (take) => ({
      query: { ...others, [name]: await take(`?${name}`, (side) => storedValue(side, resource, name, field)) },
    }),
  }));
  const { search } = ENTITIES[resource] satisfies Entity;
  const found = async (side: Side) => {
    await makeRecord(side, resource);
    return side.marker;
  };
  const bySearch = {
    route,
    way: "by text",
    places: ["?q"],
    build: async (take: Take) => ({ query: { ...others, q: await take("?q", found) } }),
  };
  const byMigration = {
    route,
    way: "by migration",
    places: ["?migration_id"],
    build: async (take: Take) => ({
      query: { ...others, migration_id: await take("?migration_id", (side) => bringingMigration(side, resource)) },
    }),
  };
  return [...byFilter, byMigration, ...(search.length > 0 ? [bySearch] : [])];
}

/** A migration that created a record of the side. */
async function bringingMigration(side: Side, resource: ResourceName): Promise<string> {
  const id = newId();
  const record = await makeRecord(side, resource);
  await pool().query(`UPDATE ${resource} SET migration_id = $1 WHERE id = $2`, [id, record]);
  return id;
}

/** A value by which a record of the side is found. */
async function storedValue(side: Side, resource: ResourceName, name: string, { references }: Field): Promise<string> {
  const value = references ? await makeReferenced(side, references) : `${side.marker}${name}@example.com`;
  const stored =
    name === "case_number" || name === "ext_id" || name === "sku" ? (markedTexts(side, "products").sku ?? "") : value;
  await makeRecord(side, resource, { [name]: stored });
  return stored;
}

export const RECORD_ASKS: readonly Ask[] = RESOURCES.flatMap((resource) => [
  ...listAsks(resource, `GET /${resource}`, WITH_TOTAL),
  ...listAsks(resource, `GET /${resource}/export`),
  ...oneRecordAsks(resource),
  ...extIdAsks(resource),
  batchAsk(resource, "all_or_nothing"),
  batchAsk(resource, "per_item"),
]);
