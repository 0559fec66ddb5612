import { randomInt } from "node:crypto";

import { beforeAll, describe, expect, test } from "vitest";

import { importedId, newId } from "@/lib/ids";
import { ENTITIES } from "@/lib/records/schema/registry";
import { LAST_POSITIONS, LOCK_CASES } from "@/lib/records/write/service-fields";
import { lockText } from "@/lib/records/write/lock-records";
import { referenceText } from "@/lib/records/write/write-rules";
import { updateText } from "@/lib/records/write/store-records";
import { insertRecord } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";
import { PLAN_MODES, planOf, readersOf } from "@/tests/support/query-plan";

const TABLES = ["accounts", "contacts", "cases", "case_comments"] as const;
/** About as many records as it takes for PostgreSQL to prefer the wrong index. */
const FEW = 1_000;
const MANY = 4_000;
const organizationId = newId();

/** As after an import: of all times, changed at all times. Autovacuum must not analyze them meanwhile. */
async function fill(table: (typeof TABLES)[number], count: number): Promise<void> {
  await pool().query(`ALTER TABLE ${table} SET (autovacuum_enabled = false)`);
  const { rows } = await pool().query<{ id: string }>("SELECT id FROM cases WHERE organization_id = $1 LIMIT 1", [
    organizationId,
  ]);
  const template = await insertRecord(table, organizationId, table === "case_comments" ? { case_id: rows[0]?.id } : {});
  const copies = Array.from({ length: count }, () => ({
    id: importedId(organizationId, newId(), new Date(randomInt(2 ** 41))),
    updated_at: new Date(randomInt(2 ** 41)),
    ext_id: newId(),
    ...(table === "cases" && { case_number: newId() }),
    ...(table === "case_comments" && { position: randomInt(2 ** 30) }),
  }));
  await pool().query(
    `INSERT INTO ${table} SELECT (json_populate_record(template, copy)).*
      FROM ${table} AS template, json_array_elements($2) AS copy WHERE id = $1`,
    [template, JSON.stringify(copies)],
  );
}

async function fillAll(count: number): Promise<void> {
  for (const table of TABLES) await fill(table, count);
}

const IDS = Array.from({ length: 200 }, () => importedId(organizationId, newId(), new Date(randomInt(2 ** 41))));

/** Each lookup with the index that it must use. */
const LOOK_UPS: [name: string, text: string, index: string][] = [
  ...TABLES.flatMap((table): [string, string, string][] => [
    [`locking ${table}`, lockText(ENTITIES[table], "id", "NO KEY UPDATE"), `${table}_pkey`],
    [
      `locking ${table} by external id`,
      lockText(ENTITIES[table], "ext_id", "NO KEY UPDATE"),
      `${table}_organization_id_ext_id_key`,
    ],
    [`checking references to ${table}`, referenceText(table), `${table}_pkey`],
  ]),
  ["locking the cases of comments", LOCK_CASES, "cases_pkey"],
  ["the ends of threads", LAST_POSITIONS, "case_comments_organization_id_case_id_position_id_idx"],
];

const STATES: [state: string, prepare: () => Promise<unknown>][] = [
  ["few records that PostgreSQL has never looked at", () => fillAll(FEW)],
  ["many records that PostgreSQL has never looked at", () => fillAll(MANY)],
  ["many records that PostgreSQL has looked at", () => pool().query(`ANALYZE ${TABLES.join(", ")}`)],
];

describe.each(STATES)("%s", (_, prepare) => {
  beforeAll(prepare);

  describe.each(PLAN_MODES)("%s", (mode) => {
    for (const [count, ids] of [
      ["one record", IDS.slice(0, 1)],
      ["many records", IDS],
    ] as const) {
      test.each(LOOK_UPS)(`%s is one look-up for each of ${count}, by the index over it`, async (__, text, index) => {
        const readers = readersOf(await planOf({ text, values: [organizationId, ids] }, mode));
        expect(readers.map(({ "Index Name": name, Filter: filter }) => [name, filter])).toEqual([[index, undefined]]);
        expect(readers[0]?.["Node Type"]).toMatch(/^Index (?:Only )?Scan$/);
        expect(readers[0]?.["Index Cond"]).toMatch(/organization_id = .* AND \(\(?(?:id|ext_id|case_id)\)?.* /);
      });

      test.each(TABLES)(
        `changing %s looks each of ${count} up by its id, and changes it by its ctid`,
        async (table) => {
          const changes = ids.map((id) => ({ id, description: "Changed" }));
          const nodes = await planOf(
            { text: updateText(ENTITIES[table]), values: [organizationId, JSON.stringify(changes), "[]"] },
            mode,
          );
          // The webhooks that subscribe are read as well; here there are none.
          const ofRecords = readersOf(nodes).filter((node) => node["Relation Name"] !== "webhooks");
          const readers = ofRecords.map((node) => [node["Node Type"], node["Index Name"]]);
          expect(readers).toEqual([
            ["Index Scan", `${table}_pkey`],
            ["Tid Scan", undefined],
          ]);
        },
      );
    }
  });
});
