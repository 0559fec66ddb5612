import { beforeAll, describe, expect, test } from "vitest";

import { newId } from "@/lib/ids";
import { listInput, listRequest } from "@/lib/records/list/list-input";
import { listStatement } from "@/lib/records/list/list-statement";
import { ENTITIES } from "@/lib/records/schema/registry";
import { RESOURCES, type ResourceName } from "@/lib/records/schema/resources";
import { insertRecord } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";
import { PLAN_MODES, type PlanMode, type PlanNode, planOf, readersOf } from "@/tests/support/query-plan";

/** As in most installations, one organization has nearly all records. */
const MOST = 5_000;
const FEW = 20;
const large = newId();
const small = newId();

const searchable = RESOURCES.filter((resource) => ENTITIES[resource].search.length > 0);

const withPhones = searchable.filter((resource) => ENTITIES[resource].phones.length > 0);

/** Records that each have the word "pump" and a unique word: copies of the first under other ids. */
async function fill(resource: ResourceName, organizationId: string, count: number): Promise<void> {
  const template = await insertRecord(resource, organizationId, resource === "products" ? { sku: newId() } : {});
  const searched = ENTITIES[resource].search.find((name) => name !== "case_number");
  const unique = Object.entries(ENTITIES[resource].fields).filter(([name, field]) => field.unique && name !== "ext_id");
  const phones = ENTITIES[resource].phones.map((name) => `, '${name}', '+49 30 44' || 10000 + number`).join("");
  const others = unique.map(([name]) => `'${name}', gen_random_uuid()`).join(", ");
  await pool().query(
    `INSERT INTO ${resource} SELECT (jsonb_populate_record(template, jsonb_build_object(
         'id', gen_random_uuid(), '${searched}', 'Pump w' || number ${others && `, ${others}`} ${phones}))).*
     FROM ${resource} AS template, generate_series(1, $3::int) AS number WHERE organization_id = $1 AND id = $2`,
    [organizationId, template, count],
  );
}

function planOfSearch(
  resource: ResourceName,
  given: Record<string, string>,
  mode: PlanMode,
  organizationId = large,
): Promise<PlanNode[]> {
  const entity = ENTITIES[resource];
  const request = listRequest(entity, listInput(entity).parse(given), { userId: newId() });
  return planOf(listStatement(entity, organizationId, request), mode);
}

/** How the plan reads the table: each node's type and index, without nodes that fetch what was found. */
function waysOf(nodes: readonly PlanNode[]): string[] {
  const ways = readersOf(nodes).map((node) => `${node["Node Type"]} ${node["Index Name"] ?? ""}`.trim());
  return ways.filter((way) => way !== "Bitmap Heap Scan").toSorted();
}

beforeAll(async () => {
  for (const resource of searchable) await fill(resource, large, MOST);
  for (const resource of searchable) await fill(resource, small, FEW);
  // The latest writes are not in the index until autovacuum: much of a table of this size, and little of a large one.
  for (const resource of searchable) await pool().query(`SELECT gin_clean_pending_list('${resource}_search')`);
  for (const resource of withPhones) await pool().query(`SELECT gin_clean_pending_list('${resource}_phones')`);
});

const NUMBERS = ["030 4410077", "10077"];

const WORDS = { common: { q: "pump" }, rare: { q: "w77" }, both: { q: "pump w77" }, number: { q: "77" } };

describe.each(PLAN_MODES)("%s", (mode) => {
  test.each(searchable)(
    "without statistics, a search of %s is read from the index over its words",
    async (resource) => {
      for (const given of Object.values(WORDS)) {
        const ways = waysOf(await planOfSearch(resource, given, mode));
        expect(ways).toContain(`Bitmap Index Scan ${resource}_search`);
        expect(ways).not.toContain("Seq Scan");
      }
    },
  );

  test.each(withPhones)(
    "without statistics, a search of %s for a phone number reads both indexes",
    async (resource) => {
      for (const q of NUMBERS) {
        const ways = waysOf(await planOfSearch(resource, { q }, mode));
        const found = [`Bitmap Index Scan ${resource}_phones`, `Bitmap Index Scan ${resource}_search`];
        expect(ways).toEqual(expect.arrayContaining(found));
        expect(ways).not.toContain("Seq Scan");
      }
    },
  );
});

describe.each(PLAN_MODES)("%s, with statistics", (mode) => {
  beforeAll(async () => {
    for (const resource of searchable) await pool().query(`ANALYZE ${resource}`);
  });

  test.each(searchable)(
    "a search of %s reads the index over its words, however frequent, and fetches the page by key",
    async (resource) => {
      const expected = [`Bitmap Index Scan ${resource}_search`, `Index Scan ${resource}_pkey`];
      for (const given of Object.values(WORDS))
        expect(waysOf(await planOfSearch(resource, given, mode))).toEqual(expected);
      const counted = await planOfSearch(resource, { q: "pump", include: "total" }, mode);
      expect(waysOf(counted)).toEqual([expected[0], ...expected]);
      expect(waysOf(await planOfSearch(resource, WORDS.common, mode, small))).toContain(expected[0]);
    },
  );

  test.each(withPhones)(
    "a search of %s for a phone number reads the indexes over words and numbers",
    async (resource) => {
      const found = [`Bitmap Index Scan ${resource}_phones`, `Bitmap Index Scan ${resource}_search`];
      for (const q of NUMBERS) {
        const expected = [...found, `Index Scan ${resource}_pkey`];
        expect(waysOf(await planOfSearch(resource, { q }, mode))).toEqual(expected);
        const counted = waysOf(await planOfSearch(resource, { q, include: "total" }, mode));
        expect(counted).toEqual([...found, ...expected].toSorted());
        expect(waysOf(await planOfSearch(resource, { q }, mode, small))).toEqual(expect.arrayContaining(found));
      }
    },
  );
});
