import { expect, test } from "vitest";
import type { ZodType } from "zod";

import { filterSchemas } from "@/lib/records/list/filters";
import type { Field } from "@/lib/records/schema/field";
import { columnsOf, PROVENANCE } from "@/lib/records/schema/record-sql";
import { ENTITIES } from "@/lib/records/schema/registry";
import { RESOURCES, type ResourceName } from "@/lib/records/schema/resources";
import { pool } from "@/tests/support/owner";
import type { Fields } from "@/lib/records/schema/entity";
import { recordOutput } from "@/lib/records/schema/field-schema";

interface DatabaseColumn {
  name: string;
  type: string;
  nullable: boolean;
  default: string | null;
  enum_values: string[] | null;
}

const COLUMNS = `
  SELECT c.column_name AS name, format_type(a.atttypid, a.atttypmod) AS type, c.is_nullable = 'YES' AS nullable,
    c.column_default AS default,
    (SELECT array_agg(e.enumlabel::text ORDER BY e.enumsortorder) FROM pg_enum e
     WHERE e.enumtypid = a.atttypid) AS enum_values
  FROM information_schema.columns c
  JOIN pg_attribute a
    ON a.attrelid = format('%I.%I', c.table_schema, c.table_name)::regclass AND a.attname = c.column_name
  WHERE c.table_schema = 'public' AND c.table_name = $1`;

const TYPES: Record<string, string> = { "timestamptz(3)": "timestamp(3) with time zone" };

async function databaseColumns(resource: ResourceName): Promise<Map<string, DatabaseColumn>> {
  const { rows } = await pool().query<DatabaseColumn>(COLUMNS, [resource]);
  for (const row of rows) row.default = bare(row.default);
  return new Map(rows.map((row) => [row.name, row]));
}

function fieldsOf(resource: ResourceName): [string, Field][] {
  return Object.entries<Field>(ENTITIES[resource].fields);
}

const NO_FIELDS = new Set<string>(["organization_id", ...PROVENANCE]);

test("the registry has exactly the eight resources", () => {
  expect(Object.keys(ENTITIES).toSorted()).toEqual([...RESOURCES].toSorted());
});

test.each(RESOURCES)(
  "%s: every column is a field and every field is a column, except the organization and the provenance",
  async (resource) => {
    const columns = await databaseColumns(resource);
    expect(
      fieldsOf(resource)
        .map(([name]) => name)
        .toSorted(),
    ).toEqual([...columns.keys()].filter((name) => !NO_FIELDS.has(name)).toSorted());
  },
);

test.each(RESOURCES)("%s: types, nullability, defaults and enum values are the database's", async (resource) => {
  const columns = await databaseColumns(resource);
  const declared = fieldsOf(resource).map(([name, field]) => ({
    name,
    type: TYPES[field.sqlType] ?? field.sqlType,
    nullable: field.nullable,
    default: field.default === undefined ? null : String(field.default),
    enum_values: enumValues(field),
  }));
  expect(declared.map(({ name }) => columns.get(name))).toEqual(declared);
});

test.each(RESOURCES)("%s: the schema of answers takes null where the column does, and nowhere else", (resource) => {
  const { shape } = recordOutput<Fields>(ENTITIES[resource]);
  const takesNull = Object.entries<ZodType>(shape).map(([name, schema]) => [name, schema.safeParse(null).success]);
  expect(takesNull).toEqual(fieldsOf(resource).map(([name, field]) => [name, field.nullable]));
});

test.each(RESOURCES)("%s: a required field is never null, has no default, and is not read-only", (resource) => {
  const needed = fieldsOf(resource).filter(
    ([, field]) => !field.nullable && field.default === undefined && !field.readOnly,
  );
  const required = fieldsOf(resource).filter(([, field]) => field.required);
  expect(required.length).toBeGreaterThan(0);
  expect(required).toEqual(needed);
});

test.each(RESOURCES)("%s: an index stands behind every filter", async (resource) => {
  const { rows } = await pool().query<{ indexdef: string }>("SELECT indexdef FROM pg_indexes WHERE tablename = $1", [
    resource,
  ]);
  const filters = Object.keys(filterSchemas(ENTITIES[resource]));
  expect(filters).toContain("ext_id");
  expect(
    filters.filter((name) => !rows.some(({ indexdef }) => indexdef.includes(`(organization_id, ${name}`))),
  ).toEqual([]);
});

test.each(RESOURCES)("%s: references name the resource that the foreign key points to", async (resource) => {
  const { rows } = await pool().query<{ name: string; references: string }>(
    `SELECT a.attname AS name, k.confrelid::regclass::text AS references FROM pg_constraint k
     JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = k.conkey[2]
     WHERE k.contype = 'f' AND k.conrelid = $1::regclass`,
    [resource],
  );
  const declared = columnsOf(ENTITIES[resource]).map(({ name, references }) => ({ name, references }));
  expect(declared).toEqual(expect.arrayContaining(rows));
});

test.each(RESOURCES)("%s: PostgreSQL takes the columns as a column definition list", async (resource) => {
  const definitions = columnsOf(ENTITIES[resource]).map(({ name, sqlType }) => `"${name}" ${sqlType}`);
  const { fields } = await pool().query(`SELECT * FROM json_to_recordset('[]') AS x(${definitions.join(", ")})`);
  expect(fields.map(({ name }) => name)).toEqual(columnsOf(ENTITIES[resource]).map(({ name }) => name));
});

function enumValues({ values }: Field): string[] | null {
  return values ? [...values] : null;
}

/** `'new'::case_status` → `new`. */
function bare(value: string | null): string | null {
  return value?.replace(/::[\w ]+$/, "").replace(/^'(.*)'$/, "$1") ?? null;
}
