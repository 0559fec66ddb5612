import { array, assert, asyncProperty, constantFrom, nat, option, record as recordOf } from "fast-check";
import { expect, onTestFinished, test } from "vitest";

import { inOrganization } from "@/lib/database/organization-scope";
import { importedId, newId } from "@/lib/ids";
import { summarizeSearches } from "@/lib/migration/duplicates/list-duplicates";
import { deleteSearches, type Purpose } from "@/lib/migration/duplicates/searches";
import type { MigrationKey } from "@/lib/migration/migration-schema";
import { deleteFound, findDuplicates } from "@/lib/migration/report/quality/find-duplicates";
import { createMigration } from "@/tests/migration/support/run-migration";
import { type PlainRecord, plainClusters, PLAIN_RULES } from "@/tests/migration/support/plain-duplicates";
import { ScriptedSource, sourceId, sourceRecord } from "@/tests/migration/support/scripted-source";
import { clustersOf, membersOf, searchFor } from "@/tests/migration/support/search-duplicates";
import { pool } from "@/tests/support/owner";

async function addContact(organizationId: string, fields: Record<string, unknown>): Promise<string> {
  const id = newId();
  const row = { last_name: "Here", ...fields };
  await pool().query(
    `INSERT INTO contacts (organization_id, id, created_at, updated_at, last_name, email, phone, account_id, ext_id)
     VALUES ($1, $2, now(), now(), $3, $4, $5, $6, $7)`,
    [
      organizationId,
      id,
      row.last_name,
      fields.email ?? null,
      fields.phone ?? null,
      fields.account_id ?? null,
      fields.ext_id ?? null,
    ],
  );
  return id;
}

test("records of the source and records that are here are clusters, with the values that were compared", async () => {
  const key = await createMigration(["Contact"]);
  const here = await addContact(key.organizationId, { email: "grace@example.com" });
  const source = new ScriptedSource({
    Contact: [
      sourceRecord("003", 1, { LastName: "Lovelace", Email: "Ada@Example.com", Phone: null }),
      sourceRecord("003", 2, { LastName: "Hopper", Email: "GRACE@example.com", Phone: "030 999999" }),
      sourceRecord("003", 3, { LastName: "L.", Email: "ada@example.com", Phone: "030 123456" }),
      sourceRecord("003", 4, { LastName: "Nobody", Email: null, Phone: null }),
      sourceRecord("003", 5, { LastName: "King", Email: "king@example.com", Phone: "030/12 34 56" }),
    ],
  });
  await searchFor(key, "Contact", source, {
    rules: [{ match: [{ fields: ["email"] }] }, { match: [{ fields: ["phone"] }] }],
  });
  const clusters = await clustersOf(key);
  expect(membersOf(clusters)).toEqual(
    [
      [sourceId("003", 1), sourceId("003", 3), sourceId("003", 5)],
      [here, sourceId("003", 2)],
    ].toSorted(),
  );
  const ours = clusters.find(({ survivor }) => survivor.record_id === here);
  expect(ours).toMatchObject({ object: "Contact", action: "update", count: 1, survivor: { ext_id: null, rule: 0 } });
  expect(ours?.duplicates[0]?.values).toMatchObject({ last_name: "Hopper", email: "GRACE@example.com" });
  const left = await pool().query("SELECT count(*)::int AS n FROM duplicate_records WHERE organization_id = $1", [
    key.organizationId,
  ]);
  expect(left.rows).toEqual([{ n: 5 }]);
});

test("a value that too many records share identifies nobody, and is reported", async () => {
  const key = await createMigration(["Contact"]);
  const many = Array.from({ length: 101 }, (_, index) =>
    sourceRecord("003", index + 1, { LastName: `N${index}`, Email: "none@example.com" }),
  );
  const source = new ScriptedSource({ Contact: many });
  await searchFor(key, "Contact", source, { rules: [{ match: [{ fields: ["email"] }] }] });
  expect(await clustersOf(key)).toEqual([]);
  const { rows } = await pool().query("SELECT status, ignored FROM duplicate_searches WHERE organization_id = $1", [
    key.organizationId,
  ]);
  expect(rows).toEqual([{ status: "done", ignored: [{ rule: 0, value: "none@example.com", records: 101 }] }]);
});

test("a chain of a thousand records that match one by one is one component, and too large for a cluster", async () => {
  const key = await createMigration(["Contact"]);
  const chain = Array.from({ length: 1000 }, (_, index) =>
    sourceRecord("003", index + 1, {
      LastName: "L",
      Phone: `030 ${100_000 + Math.floor(index / 2)}`,
      Email: `${Math.floor((index + 1) / 2)}@example.com`,
    }),
  );
  const source = new ScriptedSource({ Contact: chain });
  await searchFor(key, "Contact", source, {
    rules: [{ match: [{ fields: ["email"] }] }, { match: [{ fields: ["phone"] }] }],
  });
  expect(await clustersOf(key)).toEqual([]);
  const { rows } = await pool().query("SELECT ignored FROM duplicate_searches WHERE organization_id = $1", [
    key.organizationId,
  ]);
  expect(rows).toEqual([{ ignored: [{ rule: null, value: sourceId("003", 1), records: 1000 }] }]);
});

const optional = (values: string[]) => option(constantFrom(...values));

const record = recordOf({
  email: optional(["a@x.example", "A@X.example", "b@x.example", "c@x.example"]),
  phone: optional(["030 111111", "(030) 111111", "040 222222"]),
  name: constantFrom("Ada", "ADA", "Grace", "Alan"),
  account: optional([sourceId("001", 1), sourceId("001", 2)]),
});

test("clusters are those of a plain check of every pair, whatever the order of records and the pages", async () => {
  await assert(
    asyncProperty(
      array(record, { maxLength: 25 }),
      array(record, { maxLength: 5 }),
      array(nat(1000), { maxLength: 25 }),
      async (source, here, order) => {
        const key = await createMigration(["Contact"]);
        const account = async (extId: string) => {
          const id = importedId(key.organizationId, extId, new Date(0));
          await pool().query(
            `INSERT INTO accounts (organization_id, id, created_at, updated_at, name, ext_id)
             VALUES ($1, $2, now(), now(), 'A', $3) ON CONFLICT DO NOTHING`,
            [key.organizationId, id, extId],
          );
          return id;
        };
        const records: PlainRecord[] = [];
        for (const fields of here) {
          const account_id = fields.account && (await account(fields.account));
          const member = await addContact(key.organizationId, { ...fields, last_name: fields.name, account_id });
          records.push({ ...fields, member, here: true });
        }
        const contacts = source.map((fields, index) => {
          const number = ((order[index] ?? 0) + 1) * 100 + index;
          records.push({ ...fields, member: sourceId("003", number), here: false });
          return sourceRecord("003", number, {
            LastName: fields.name,
            Email: fields.email,
            Phone: fields.phone,
            AccountId: fields.account,
          });
        });
        // A source without records has no fields to describe.
        if (contacts.length === 0) return;
        await searchFor(key, "Contact", new ScriptedSource({ Contact: contacts }), { rules: PLAIN_RULES }, 0);
        expect(membersOf(await clustersOf(key))).toEqual(plainClusters(records).toSorted());
      },
    ),
    { numRuns: 40 },
  );
}, 120_000);

test("a report of a large org compares a sample, and says how many records that is", async () => {
  const key = await createMigration(["Contact"]);
  const emails = ["ada@example.com", "grace@example.com"];
  const contacts = Array.from({ length: 2100 }, (_, index) =>
    sourceRecord("003", index + 1, { LastName: `Person ${index}`, Email: emails[index % 2050] ?? null }),
  );
  const count = (requestsLeft: number | null, records: typeof contacts) =>
    inOrganization(key.organizationId, () => {
      const client = new ScriptedSource({ Contact: records });
      return findDuplicates(key, "Contact", { client, configured: undefined, of: 2100, requestsLeft });
    });
  const rules = [{ match: [{ fields: ["email"] }] }];
  const of = { of: 2100, records_here: 0, rules, rules_from: "suggested" };
  expect(await count(600, contacts)).toMatchObject({ ...of, measured: "sampled", records: 2000, duplicates: 0 });
  expect(await count(null, contacts)).toMatchObject({ ...of, measured: "searched", records: 2100, duplicates: 2 });
  expect(await count(600, contacts.slice(0, 2000))).toMatchObject({ measured: "searched", records: 2000 });
  expect(await count(50, contacts)).toMatchObject({ duplicates: null, not_counted_because: expect.any(String) });
  for (let index = 0; index < 3; index += 1) await addContact(key.organizationId, { email: emails[0] });
  const beside = { measured: "searched", records_here: 3, not_counted_because: null };
  expect(await count(null, contacts)).toMatchObject({ ...beside, records: 2100, duplicates: 3 });
  await inOrganization(key.organizationId, () => deleteFound(key));
  const { rows } = await pool().query("SELECT FROM duplicate_searches WHERE migration_id = $1", [key.migrationId]);
  expect(rows).toEqual([]);
});

/** Refuses statements that delete records of searches, `gone`, under a condition. */
async function refuseDeletions(condition: string): Promise<void> {
  await pool().query(
    `CREATE FUNCTION refuse_deletion() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
       IF ${condition} THEN RAISE 'Refused.'; END IF; RETURN NULL; END $$;
     CREATE TRIGGER refuse_deletion AFTER DELETE ON duplicate_records REFERENCING OLD TABLE AS gone
       FOR EACH STATEMENT EXECUTE FUNCTION refuse_deletion()`,
  );
  onTestFinished(async () => void (await pool().query("DROP FUNCTION refuse_deletion CASCADE")));
}

/** A search of many records that has ended. */
async function storeSearch({ organizationId, migrationId }: MigrationKey, purpose: Purpose): Promise<string> {
  const id = newId();
  await pool().query(
    `INSERT INTO duplicate_searches (organization_id, id, migration_id, object, purpose, run_number, choices, mapping,
       status, created_at) VALUES ($1, $2, $3, 'Contact', $4, 0, '{}', '{}', 'done', now())`,
    [organizationId, id, migrationId, purpose],
  );
  await pool().query(
    `INSERT INTO duplicate_records (organization_id, search_id, member, is_source)
     SELECT $1, $2, n, true FROM generate_series(1, 12000) AS n`,
    [organizationId, id],
  );
  return id;
}

test("a search of which a part is deleted is no longer called done", async () => {
  const key = await createMigration(["Contact"]);
  await storeSearch(key, "preview");
  await refuseDeletions("(SELECT count(*) FROM duplicate_records) < 12000");
  const { organizationId } = key;
  await expect(inOrganization(organizationId, () => deleteSearches(key, "preview"))).rejects.toThrow("Refused.");
  expect(await inOrganization(organizationId, () => summarizeSearches(key))).toMatchObject({
    data: [{ status: "failed", failure: { remedy: expect.stringContaining("search for duplicates again") } }],
  });
});

test("a search deletes the one that it replaces in batches", async () => {
  const key = await createMigration(["Contact"]);
  const id = await storeSearch(key, "report");
  await refuseDeletions("(SELECT count(*) FROM gone) > 5000");
  const Contact = [sourceRecord("003", 1, { LastName: "A", Email: "a@example.com" })];
  const counting = { client: new ScriptedSource({ Contact }), configured: undefined, of: 1, requestsLeft: null };
  const found = await inOrganization(key.organizationId, () => findDuplicates(key, "Contact", counting));
  expect(found).toMatchObject({ measured: "searched", records: 1 });
  const { rowCount } = await pool().query("SELECT FROM duplicate_records WHERE search_id = $1", [id]);
  expect(rowCount).toBe(0);
});
