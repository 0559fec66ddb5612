import { randomInt } from "node:crypto";

import { beforeAll, describe, expect, test } from "vitest";

import { importedId, newId } from "@/lib/ids";
import { MAX_LIMIT } from "@/lib/input/limits";
import { filterSchemas } from "@/lib/records/list/filters";
import { listInput, listRequest } from "@/lib/records/list/list-input";
import { listStatement } from "@/lib/records/list/list-statement";
import type { Field } from "@/lib/records/schema/field";
import { ENTITIES } from "@/lib/records/schema/registry";
import { RESOURCES, type ResourceName } from "@/lib/records/schema/resources";
import { insertRecord } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";
import { PLAN_MODES, type PlanMode, type PlanNode, planOf, readersOf, sortsOf } from "@/tests/support/query-plan";

const ROWS = 1_500;
const organizations = [newId(), newId(), newId()] as const;
/** Every field has about this many distinct values. */
const VALUES = 20;
const MIGRATIONS = Array.from({ length: VALUES }, () => newId());

/** Some values of a filterable field: existing ones, or random ones where no record needs to exist. */
async function valuesOf(field: Field, organizationId: string): Promise<unknown[]> {
  if (field.kind === "boolean") return [true, false];
  if (field.values) return [...field.values];
  const { rows } =
    field.references === undefined || field.references === "users"
      ? { rows: [] }
      : await pool().query<{ id: string }>(`SELECT id FROM ${field.references} WHERE organization_id = $1 LIMIT $2`, [
          organizationId,
          VALUES,
        ]);
  if (rows.length > 0) return rows.map(({ id }) => id);
  return Array.from({ length: VALUES }, () => newId());
}

/**
 * Some thousands of records of three organizations, created at random times, as after an import: copies of the first
 * record with other ids and other values of the filterable fields.
 */
async function fill(resource: ResourceName): Promise<void> {
  for (const organizationId of organizations) {
    const { rows } = await pool().query<{ id: string }>("SELECT id FROM cases WHERE organization_id = $1 LIMIT 1", [
      organizationId,
    ]);
    const template = await insertRecord(
      resource,
      organizationId,
      resource === "case_comments" ? { case_id: rows[0]?.id } : {},
    );
    const filterable = Object.entries<Field>(ENTITIES[resource].fields).filter(([, field]) => field.filterable);
    const values = new Map<string, unknown[]>();
    for (const [name, field] of filterable) values.set(name, await valuesOf(field, organizationId));
    const copies = Array.from({ length: ROWS }, () => ({
      ...Object.fromEntries(filterable.map(([name, { unique }]) => [name, unique ? newId() : one(values.get(name))])),
      id: importedId(organizationId, newId(), new Date(randomInt(2 ** 41))),
      updated_at: new Date(randomInt(2 ** 41)),
      migration_id: one(MIGRATIONS),
      ...(ENTITIES[resource].alphabet[0] && { [ENTITIES[resource].alphabet[0]]: newId().slice(-12) }),
      ...(resource === "opportunities" && {
        amount: randomInt(2 ** 41) / 100,
        close_date: new Date(randomInt(2 ** 41)).toISOString().slice(0, 10),
      }),
      ...(resource === "activities" && {
        due_date: randomInt(4) === 0 ? null : new Date(randomInt(2 ** 41)).toISOString().slice(0, 10),
      }),
    }));
    await pool().query(
      `INSERT INTO ${resource} SELECT (json_populate_record(template, copy)).*
        FROM ${resource} AS template, json_array_elements($2) AS copy WHERE id = $1`,
      [template, JSON.stringify(copies)],
    );
  }
  await pool().query(`ANALYZE ${resource}`);
}

function one<Value>(values: readonly Value[] = []): Value | undefined {
  return values[randomInt(values.length)];
}

beforeAll(async () => {
  // Activities refer to every other entity, so they come last.
  for (const resource of RESOURCES.toSorted(
    (one, other) => Number(one === "activities") - Number(other === "activities"),
  ))
    await fill(resource);
});

/** A place in the middle of a list that is sorted by no text. */
const PLACES: Record<string, string> = {
  updated_at: "2000-01-01T00:00:00Z",
  close_date: "2000-01-01",
  due_date: "2000-01-01",
  amount: "2000",
};

/** The index of each order, if it is not that of the alphabet. */
const INDEXES: Record<string, string> = {
  updated_at: "organization_id_updated_at_id_idx",
  close_date: "organization_id_close_date_id_idx",
  due_date: "due_dates",
  amount: "amounts",
};

function requestOf(resource: ResourceName, given: Record<string, string>) {
  const entity = ENTITIES[resource];
  return listRequest(entity, listInput(entity).parse(given), { userId: newId() });
}

function planOfList(resource: ResourceName, given: Record<string, string>, mode: PlanMode): Promise<PlanNode[]> {
  const entity = ENTITIES[resource];
  const request = requestOf(resource, given);
  const cursorKey = PLACES[request.sort ?? ""] ?? "m";
  const position = request.cursor !== undefined && request.sort !== undefined && { cursorKey };
  return planOf(listStatement(entity, organizations[1], { ...request, ...position }), mode);
}

/** The only node that reads: a range of an index, in its order, without discarded rows. */
async function onlyRange(resource: ResourceName, given: Record<string, string>, mode: PlanMode): Promise<PlanNode> {
  const nodes = await planOfList(resource, given, mode);
  expect(sortsOf(nodes)).toEqual([]);
  const [scan, ...others] = readersOf(nodes);
  expect(others).toEqual([]);
  expect(scan).toMatchObject({ "Node Type": "Index Scan" });
  return scan ?? { "Node Type": "none", "Plan Rows": 0 };
}

/** Every filter of a resource, each with an existing value. */
async function filtersOf(resource: ResourceName): Promise<Record<string, string>[]> {
  const names = Object.keys(filterSchemas(ENTITIES[resource]));
  const values = names.map((name) => `"${name}"::text`).join(", ");
  const { rows } = await pool().query<Record<string, string>>(
    `SELECT ${values} FROM ${resource} WHERE organization_id = $1 AND ext_id IS NOT NULL LIMIT 1`,
    [organizations[1]],
  );
  return names.flatMap((name) => (rows[0]?.[name] ? [{ [name]: rows[0][name] }] : []));
}

/**
 * The parameters, as text, whose list is not read by one range of an index in its order. Where PostgreSQL sees from the
 * values that all matches are fewer than a page (`orFew`), it may collect and sort them.
 */
async function notInOrder(
  each: Record<string, string>[],
  resource: ResourceName,
  mode: PlanMode,
  orFew: boolean,
): Promise<string[]> {
  const wrong: string[] = [];
  for (const given of each) {
    const nodes = await planOfList(resource, given, mode);
    const readers = readersOf(nodes).map((node) => node["Node Type"]);
    const isOne = readers.join() === "Index Scan" || (orFew && readers.join() === "Bitmap Heap Scan,Bitmap Index Scan");
    const sorted = nodes.filter((node) => node["Node Type"] === "Sort").map((node) => node["Plan Rows"]);
    const isInOrder = sorted.every((rows) => orFew && rows < MAX_LIMIT);
    if (!isOne || !isInOrder)
      wrong.push(`${JSON.stringify(given)}: ${readers.join(", ")}, sorting ${sorted.join(", ")}`);
  }
  return wrong;
}

const CURSOR = importedId(newId(), newId(), new Date(2 ** 40));
const SINCE = "1990-01-01T00:00:00Z";
const CREATED = { "created_at[gte]": SINCE };

describe.each(PLAN_MODES)("%s", (mode) => {
  test.each(RESOURCES)(
    "the list of %s is one range of the primary key, in either direction, and nothing is sorted",
    async (resource) => {
      const newest = await onlyRange(resource, { cursor: CURSOR }, mode);
      expect(newest).toMatchObject({ "Scan Direction": "Backward", "Index Name": `${resource}_pkey` });
      expect(newest["Index Cond"]).toMatch(/organization_id = .* AND \(id < /);
      expect(newest.Filter).toBeUndefined();
      const oldest = await onlyRange(resource, { cursor: CURSOR, order: "asc" }, mode);
      expect(oldest).toMatchObject({ "Scan Direction": "Forward", "Index Name": `${resource}_pkey` });
      expect(oldest["Index Cond"]).toMatch(/organization_id = .* AND \(id < .* AND \(id > /);
      expect(oldest.Filter).toBeUndefined();
    },
  );

  test.each(RESOURCES)("%s created in a time are one range of the primary key", async (resource) => {
    const range = await onlyRange(
      resource,
      { "created_at[gte]": SINCE, "created_at[lt]": "2020-01-01", cursor: CURSOR },
      mode,
    );
    expect(range["Index Cond"]).toMatch(/organization_id = .* AND \(id < .* AND \(id > /);
    expect(range).toMatchObject({ "Index Name": `${resource}_pkey` });
    expect(range.Filter).toBeUndefined();
  });

  const filters = RESOURCES.flatMap((resource) =>
    Object.keys(filterSchemas(ENTITIES[resource])).map((filter) => ({ resource, filter })),
  );

  test.each(filters)(
    "$resource by $filter are one range of one index, and nothing is sorted",
    async ({ resource, filter }) => {
      const field = (ENTITIES[resource].fields as Record<string, Field>)[filter];
      const [value] = field ? await valuesOf(field, organizations[1]) : MIGRATIONS;
      const range = await onlyRange(resource, { [filter]: String(value), cursor: CURSOR }, mode);
      expect(range["Index Cond"]).toMatch(new RegExp(`organization_id = .* AND \\(+${filter}.* = `));
      // A filter by a unique field needs no range of ids.
      if (field?.unique) return;
      expect(range["Index Cond"]).toMatch(/ AND \(id < /);
      expect(range.Filter).toBeUndefined();
    },
  );

  test.each(RESOURCES)(
    "%s by two filters, or by one and a time, are one range of one index; no full page is sorted",
    async (resource) => {
      const single = await filtersOf(resource);
      const pairs = single.flatMap((filter, index) =>
        [...single.slice(index + 1), CREATED].map((other) => ({ ...filter, ...other })),
      );
      expect(await notInOrder(pairs, resource, mode, mode === "force_custom_plan")).toEqual([]);
    },
  );

  const enums = RESOURCES.flatMap((resource) =>
    Object.entries<Field>(ENTITIES[resource].fields).flatMap(([filter, { filterable, values }]) =>
      filterable && values ? [{ resource, filter, values: values.slice(0, 3) }] : [],
    ),
  );

  test.each(enums)(
    "$resource by several values of $filter are one range of one index for each of them",
    async ({ resource, filter, values }) => {
      for (const order of ["desc", "asc"]) {
        const given = { [filter]: values.join(), cursor: CURSOR, order };
        const scans = readersOf(await planOfList(resource, given, mode));
        expect(scans.filter((scan) => scan["Node Type"] === "Seq Scan")).toEqual([]);
        const ranges = scans.flatMap((scan) => scan["Index Cond"] ?? []);
        const [range, ...page] = ranges.toSorted((one) => (one.includes(filter) ? -1 : 1));
        expect(range).toMatch(new RegExp(`organization_id = .* AND \\(${filter} = one.value\\) AND \\(id `));
        expect(page).toEqual([expect.stringMatching(/organization_id = .* AND \(id = ANY/)]);
      }
    },
  );

  const sorted = RESOURCES.flatMap((resource) =>
    Object.keys(ENTITIES[resource].sortings)
      .slice(1)
      .flatMap((sort) => ["asc", "desc"].map((order) => ({ resource, sort, order }))),
  );

  test.each(sorted)(
    "$resource sorted by $sort ($order) are one range of one index, from the start and behind a cursor",
    async ({ resource, sort, order }) => {
      for (const cursor of [undefined, CURSOR]) {
        const given = { sort, order, ...(cursor && { cursor }) };
        const nodes = await planOfList(resource, given, mode);
        expect(sortsOf(nodes)).toEqual([]);
        const [scan, ...others] = readersOf(nodes);
        expect(others).toEqual([]);
        const index = INDEXES[sort] ?? "alphabet";
        expect(scan).toMatchObject({ "Node Type": "Index Scan", "Index Name": `${resource}_${index}` });
        expect(scan?.Filter).toBeUndefined();
        expect(/ROW\(.*\) [<>] ROW\(/.test(scan?.["Index Cond"] ?? "")).toBe(cursor !== undefined);
      }
    },
  );

  test.each(sorted)(
    "$resource of a filter, sorted by $sort ($order), are found by its index, or walked in the list's order",
    async ({ resource, sort, order }) => {
      const nodes = await planOfList(resource, { sort, order, migration_id: String(MIGRATIONS[0]) }, mode);
      const scans = readersOf(nodes).map((node) => node["Node Type"]);
      expect(scans.filter((type) => type === "Seq Scan")).toEqual([]);
    },
  );

  test.each(RESOURCES)("an expanded reference of %s is a look-up by key, beside the one range", async (resource) => {
    const nodes = await planOfList(resource, { expand: "owner", fields: "ext_id", cursor: CURSOR }, mode);
    const scans = readersOf(nodes).filter((scan) => scan["Relation Name"] === resource);
    expect(scans).toEqual([expect.objectContaining({ "Node Type": "Index Scan", "Index Name": `${resource}_pkey` })]);
    expect(sortsOf(nodes)).toEqual([]);
  });
});

test.each(RESOURCES.flatMap((resource) => ["asc", "desc"].map((order) => ({ resource, order }))))(
  "$resource changed in a range of time are read by ranges of the index over their last change ($order)",
  async ({ resource, order }) => {
    // A range so short that PostgreSQL has no better plan for so few records.
    const given = { "updated_at[gte]": SINCE, "updated_at[lt]": "1990-03-01", cursor: CURSOR, order };
    // Without a name it is planned only for its values.
    expect(listStatement(ENTITIES[resource], organizations[1], requestOf(resource, given)).name).toBeUndefined();
    const nodes = readersOf(await planOfList(resource, given, "force_custom_plan"));
    const ranges = nodes.filter((node) => node["Index Name"] !== undefined);
    expect(ranges[0]).toMatchObject({ "Index Name": `${resource}_organization_id_updated_at_id_idx` });
    expect(ranges[0]?.["Index Cond"]).toMatch(
      /organization_id = .* AND \(updated_at >= .* AND \(updated_at < .* AND \(id < /,
    );
    expect(ranges[0]?.Filter).toBeUndefined();
    expect(ranges.every((node) => node["Index Cond"]?.includes("organization_id = "))).toBe(true);
    expect(nodes.filter((node) => !ranges.includes(node) && node["Node Type"] !== "Bitmap Heap Scan")).toEqual([]);
  },
);
