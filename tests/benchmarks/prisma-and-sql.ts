import { randomUUID } from "node:crypto";

import { compare, type Measurement } from "@/tests/benchmarks/measurement";
import { withService } from "@/tests/benchmarks/temporary-database";

const ROWS = 20_000;
const PAGE = 50;
const CONCURRENT = 16;
const IMPORT_PAGE = 1000;
const SECONDS = 4;

type Work = (round: number) => Promise<unknown>;

/** How often `work` is done per second, sixteen at a time. */
async function speedOf(work: Work, seconds: number): Promise<number> {
  const started = performance.now();
  const end = started + seconds * 1000;
  let done = 0;
  let round = 0;
  await Promise.all(
    Array.from({ length: CONCURRENT }, async () => {
      while (performance.now() < end) {
        await work(round++);
        done += 1;
      }
    }),
  );
  return done / ((performance.now() - started) / 1000);
}

/** Both ways in turns, so that what else the machine does slows down both: the speeds, and SQL's over Prisma's. */
async function measureBoth(name: string, sql: Work, throughPrisma: Work): Promise<Measurement[]> {
  const speeds = { sql: 0, prisma: 0 };
  for (const work of [sql, throughPrisma]) await speedOf(work, 0.5);
  for (let turn = 0; turn < SECONDS; turn++) {
    speeds.sql += await speedOf(sql, 1);
    speeds.prisma += await speedOf(throughPrisma, 1);
  }
  return [
    { name: `${name}: SQL`, value: Math.round(speeds.sql / SECONDS), unit: "per second" },
    { name: `${name}: Prisma`, value: Math.round(speeds.prisma / SECONDS), unit: "per second" },
    compare({
      what: `${name}: Prisma`,
      against: "SQL",
      floor: speeds.sql / SECONDS,
      ours: speeds.prisma / SECONDS,
      unit: "per second",
    }),
  ];
}

const FILL = `
  INSERT INTO opportunities (organization_id, id, created_at, updated_at, name, stage, close_date)
  SELECT $1, id, now(), now(), 'Hundred drills ' || n, 'proposal', '2026-12-31'
  FROM unnest($2::uuid[]) WITH ORDINALITY AS made (id, n)`;

const IMPORT = `
  INSERT INTO opportunities AS o (organization_id, id, created_at, updated_at, ext_id, name, stage, close_date)
  SELECT $1, id, now(), now(), ext_id, name, stage, close_date
  FROM json_to_recordset($2) AS r (id uuid, ext_id text, name text, stage opportunity_stage, close_date date)`;

/**
 * What Prisma and SQL cost for the same work, in one process, over the service's own pool and scope: what every request
 * reads, a page of an import, and a setting that an admin changes.
 */
export function run(): Promise<Measurement[]> {
  return withService(async () => {
    const { pool, prisma, transaction } = await import("@/lib/database/db");
    const { inOrganization } = await import("@/lib/database/organization-scope");
    const { newId } = await import("@/lib/ids");
    const { getRecord } = await import("@/lib/records/get-record");
    const { listRecords } = await import("@/lib/records/list/list-records");
    const { ENTITIES } = await import("@/lib/records/schema/registry");
    const { createContext } = await import("@/tests/support/factories");
    const { registerClient } = await import("@/lib/oauth/clients/register-client");

    const context = await createContext({ role: "admin" });
    const { organizationId } = context;
    const client = await registerClient(context, {
      name: "Benchmark",
      redirect_uris: ["https://client.example/callback"],
      scopes: ["crm:read"],
    });
    const ids = Array.from({ length: ROWS }, () => newId()).toSorted();
    const opportunity = ENTITIES.opportunities;
    const at = (round: number) => ids[PAGE + ((round * 997) % (ROWS - PAGE))] ?? "";
    const importRows = () =>
      Array.from({ length: IMPORT_PAGE }, (_, n) => ({
        id: newId(),
        ext_id: randomUUID(),
        name: `Hundred drills ${n}`,
        stage: "proposal" as const,
        close_date: "2026-12-31",
      }));

    return inOrganization(organizationId, async () => {
      await pool().query(FILL, [organizationId, ids]);
      await pool().query("SELECT count(*) FROM opportunities");
      return [
        ...(await measureBoth(
          "page of 50 records as JSON",
          (round) => {
            const request = { limit: PAGE, order: "desc", cursor: at(round), filters: {}, total: false } as const;
            return listRecords(opportunity, organizationId, request);
          },
          async (round) =>
            JSON.stringify(
              await prisma().opportunities.findMany({
                where: { organization_id: organizationId, id: { lt: at(round) } },
                orderBy: { id: "desc" },
                take: PAGE + 1,
              }),
            ),
        )),
        ...(await measureBoth(
          "one record as JSON",
          (round) => getRecord(opportunity, organizationId, at(round)),
          async (round) =>
            JSON.stringify(
              await prisma().opportunities.findFirst({ where: { organization_id: organizationId, id: at(round) } }),
            ),
        )),
        ...(await measureBoth(
          `${IMPORT_PAGE} records inserted`,
          () => pool().query(IMPORT, [organizationId, JSON.stringify(importRows())]),
          () =>
            prisma().opportunities.createMany({
              data: importRows().map((row) => ({
                ...row,
                organization_id: organizationId,
                created_at: new Date(),
                updated_at: new Date(),
                close_date: new Date(row.close_date),
              })),
            }),
        )),
        ...(await measureBoth(
          "API client read by id",
          () =>
            pool().query("SELECT * FROM oauth_clients WHERE organization_id = $1 AND id = $2", [
              organizationId,
              client.id,
            ]),
          () => prisma().oauth_clients.findFirst({ where: { organization_id: organizationId, id: client.id } }),
        )),
        ...(await measureBoth(
          "API client changed in a transaction",
          (round) =>
            transaction((db) =>
              db.query("UPDATE oauth_clients SET name = $3 WHERE organization_id = $1 AND id = $2", [
                organizationId,
                client.id,
                `Benchmark ${round}`,
              ]),
            ),
          (round) =>
            transaction(() =>
              prisma().oauth_clients.updateMany({
                where: { organization_id: organizationId, id: client.id },
                data: { name: `Benchmark ${round}` },
              }),
            ),
        )),
      ];
    });
  });
}
