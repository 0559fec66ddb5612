import { compare, type Measurement } from "@/tests/benchmarks/measurement";
import { withService } from "@/tests/benchmarks/temporary-database";

const CONCURRENT = 16;
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

/**
 * What Prisma and SQL cost for the same work, in one process, over the service's own pool and scope: a setting that an
 * admin reads and changes. Records are not in the client (decision 0036).
 */
export function run(): Promise<Measurement[]> {
  return withService(async () => {
    const { pool, prisma, transaction } = await import("@/lib/database/db");
    const { inOrganization } = await import("@/lib/database/organization-scope");
    const { createContext } = await import("@/tests/support/factories");
    const { registerClient } = await import("@/lib/oauth/clients/register-client");

    const context = await createContext({ role: "admin" });
    const { organizationId } = context;
    return inOrganization(organizationId, async () => {
      const client = await registerClient(context, {
        name: "Benchmark",
        redirect_uris: ["https://client.example/callback"],
        scopes: ["crm:read"],
      });
      return [
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
