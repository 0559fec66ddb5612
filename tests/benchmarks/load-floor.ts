import { randomUUID } from "node:crypto";

const PAGE = 2000;
const PARENTS = 1000;

const SETUP = `
  DROP TABLE IF EXISTS floor_rows, floor_parents;
  CREATE TABLE floor_parents (
    organization_id uuid, id uuid, ext_id text,
    PRIMARY KEY (organization_id, id), UNIQUE (organization_id, ext_id)
  );
  CREATE TABLE floor_rows (
    organization_id uuid, id uuid, ext_id text, created_at timestamptz(3), parent_id uuid,
    first_name text, last_name text, email text, phone text, title text, status text, custom_fields jsonb,
    PRIMARY KEY (organization_id, id), UNIQUE (organization_id, ext_id)
  );
  CREATE INDEX ON floor_rows (organization_id, parent_id, id);
  CREATE INDEX ON floor_rows (organization_id, last_name);
  CREATE INDEX ON floor_rows (organization_id, email);
`;

const LOAD = `
  INSERT INTO floor_rows AS t (organization_id, id, ext_id, created_at, parent_id,
    first_name, last_name, email, phone, title, status, custom_fields)
  SELECT $1::uuid, r.id, r.ext_id, r.created_at, p.id,
    r.first_name, r.last_name, r.email, r.phone, r.title, r.status, r.custom_fields
  FROM json_to_recordset($2::json) AS r(id uuid, ext_id text, created_at timestamptz, parent text,
    first_name text, last_name text, email text, phone text, title text, status text, custom_fields jsonb)
  LEFT JOIN floor_parents p ON p.organization_id = $1::uuid AND p.ext_id = r.parent
  ON CONFLICT (organization_id, ext_id) DO UPDATE SET parent_id = excluded.parent_id, first_name = excluded.first_name,
    last_name = excluded.last_name, email = excluded.email, phone = excluded.phone, title = excluded.title,
    status = excluded.status,     custom_fields = excluded.custom_fields`;

function pageFrom(start: number, length: number): string {
  return JSON.stringify(
    Array.from({ length }, (_, index) => ({
      id: randomUUID(),
      ext_id: `003${String(start + index).padStart(15, "0")}`,
      created_at: "2024-07-24T14:05:58.000Z",
      parent: `001${String((start + index) % PARENTS).padStart(15, "0")}`,
      first_name: "Ada",
      last_name: `Example ${start + index}`,
      email: `person.${start + index}@example.com`,
      phone: "+49 30 1234567",
      title: "Head of pumps",
      status: "new",
      custom_fields: { Region__c: "North", Score__c: index },
    })),
  );
}

/**
 * The floor of an import of so many rows, in rows per second: pages of 2,000 prepared rows as one JSON parameter, a
 * join for the parent, an upsert on (organization_id, ext_id), five indexes. Nothing is read, mapped, checked or
 * counted.
 */
export async function loadFloor(rows: number): Promise<number> {
  const { pool } = await import("@/tests/support/owner");
  const organization = randomUUID();
  await pool().query(SETUP);
  await pool().query(
    `INSERT INTO floor_parents SELECT $1::uuid, gen_random_uuid(), '001' || lpad(n::text, 15, '0')
      FROM generate_series(0, $2::int - 1) AS n`,
    [organization, PARENTS],
  );
  await pool().query("ANALYZE floor_parents");
  let milliseconds = 0;
  for (let start = 0; start < rows; start += PAGE) {
    const page = pageFrom(start, Math.min(PAGE, rows - start));
    const started = performance.now();
    await pool().query(LOAD, [organization, page]);
    milliseconds += performance.now() - started;
  }
  await pool().query("DROP TABLE floor_rows, floor_parents");
  return (rows / milliseconds) * 1000;
}
