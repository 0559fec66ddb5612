import { connectionRow } from "@/lib/migration/connections/stored-connection";
import type { RunningOrg } from "@/sandbox-org/start";
import { setStatus } from "@/tests/migration/support/ready-migration";
import { pool, prisma } from "@/tests/support/owner";

import type { Ask, Take } from "@/tests/http/matrix/support/ask";
import { conflictOf, instanceUrlOf, makeMigration, type Side } from "@/tests/http/matrix/support/side";

let org: RunningOrg | undefined;

/** The org that connections lead to, once it runs. */
export function connectTo(running: RunningOrg): void {
  org = running;
}

async function connection(side: Side): Promise<string> {
  return connectionWith(side, org?.accessToken ?? "");
}

/** A connection whose token opens nothing, so that no others end with it. */
function deadConnection(side: Side): Promise<string> {
  return connectionWith(side, "dead");
}

async function connectionWith({ context, marker }: Side, accessToken: string): Promise<string> {
  if (!org) throw new Error("There is no Salesforce org to connect to; call connectTo first.");
  const identity = {
    instanceUrl: org.instanceUrl,
    apiVersion: "67.0",
    orgId: null,
    orgName: `${marker} org`,
    userId: null,
    username: null,
    isSandbox: null,
  };
  const row = connectionRow(context, identity, { accessToken, loginUrl: null });
  await prisma().connections.create({ data: row });
  return row.id;
}

function migration(take: Take, place = "{migration_id}"): Promise<string> {
  return take(place, makeMigration);
}

async function makeCompleted(side: Side): Promise<string> {
  const id = await makeMigration(side);
  await setStatus(id, "completed");
  return id;
}

const byMigration = async (take: Take) => ({ path: { migration_id: await migration(take) } });

/** A migration whose org answers. */
async function connectedMigration(side: Side): Promise<string> {
  const id = await makeMigration(side);
  const connection_id = await connection(side);
  const owned = { organization_id: side.organizationId, id };
  const owner = { source: "OwnerId", label: `Owner ${side.marker}`, type: "reference", target: "owner_id" };
  const parent = { source: "ParentId", label: "Parent", type: "reference", target: "parent_account_id" };
  const inventory = [{ object: "Account", status: "automatic", fields: [owner, parent] }];
  await prisma().migrations.updateMany({ where: owned, data: { connection_id, report: { inventory } } });
  return id;
}

const byConnected = async (take: Take) => ({
  path: { migration_id: await take("{migration_id}", connectedMigration) },
});

type Status = "running" | "paused" | "completed" | "completed_with_errors";

/** A migration that has run, with a status. */
function migrationIn(status: Status) {
  return async (side: Side): Promise<string> => {
    const id = await makeMigration(side);
    const where = { organization_id: side.organizationId, id };
    await prisma().migrations.updateMany({ where, data: { status, read_until: new Date() } });
    return id;
  };
}

/** A migration whose last run read everything, and failed to import a record. */
async function migrationWithFailure(side: Side): Promise<string> {
  const id = await migrationIn("completed_with_errors")(side);
  const owned = [side.organizationId, id];
  await pool().query(
    `UPDATE migration_objects
     SET source = 1, failed = 1, created = 0, updated = 0, unchanged = 0, skipped = 0, started_at = now(),
         read_until = now()
     WHERE organization_id = $1 AND migration_id = $2`,
    owned,
  );
  await pool().query(
    "UPDATE migration_record_issues SET outcome = 'failed' WHERE organization_id = $1 AND migration_id = $2",
    owned,
  );
  return id;
}

async function provenMigration(side: Side): Promise<string> {
  const id = await migrationIn("completed")(side);
  await pool().query(
    `INSERT INTO migration_proofs (organization_id, migration_id, run_number, requested_at) VALUES ($1, $2, 1, now())`,
    [side.organizationId, id],
  );
  return id;
}

/** A migration whose analysis has counted an object. */
async function analyzedMigration(side: Side): Promise<string> {
  const id = await makeMigration(side);
  const counted = [{ name: "Account", label: `${side.marker} accounts`, custom: false, count: 1, readable: true }];
  const where = { organization_id: side.organizationId, id };
  await prisma().migrations.updateMany({ where, data: { status: "analyzing", report: { counted } } });
  return id;
}

/** A migration of the org that connections lead to, which any user of it may connect. */
async function disconnectedMigration(side: Side): Promise<string> {
  const id = await migrationIn("paused")(side);
  const { connection_id } = await prisma().migrations.update({
    where: { organization_id_id: { organization_id: side.organizationId, id } },
    data: { report: {} },
  });
  await prisma().connections.updateMany({
    where: { organization_id: side.organizationId, id: connection_id },
    data: { ext_instance_url: org?.instanceUrl ?? "" },
  });
  return id;
}

const byMigrationIn = (status: Status) => async (take: Take) => ({
  path: { migration_id: await take("{migration_id}", migrationIn(status)) },
});

const EXPORTED = { format: "crm-migration-configuration", version: 1, configuration: { objects: { Account: {} } } };

const COMPARED = { Account: { duplicates: { rules: [{ match: [{ fields: ["name"] }] }] } } };

const ONE = "/migration/{migration_id}";

export const MIGRATION_ASKS: readonly Ask[] = [
  {
    route: "GET /migration",
    build: async (take, side) => {
      await makeMigration(side);
      return {
        query: { ext_instance_url: await take("?ext_instance_url", async ({ marker }) => instanceUrlOf(marker)) },
      };
    },
  },
  {
    route: "POST /migration/analyze",
    build: async (take) => ({ body: { connection_id: await take("/connection_id", connection) } }),
    outcomes: { "/connection_id": { status: 404 } },
  },
  {
    route: "POST /migration/run",
    build: async (take) => ({ body: { migration_id: await migration(take, "/migration_id") } }),
    outcomes: { "/migration_id": { status: 404 } },
  },
  {
    route: "GET /migration/connections",
    build: async (_, side) => {
      await connection(side);
      return {};
    },
  },
  {
    route: "POST /migration/connections/{connection_id}/disconnect",
    build: async (take) => ({ path: { connection_id: await take("{connection_id}", deadConnection) } }),
  },
  { route: `GET ${ONE}`, build: byMigration },
  {
    route: `GET ${ONE}/analysis`,
    build: async (take) => ({ path: { migration_id: await take("{migration_id}", analyzedMigration) } }),
  },
  { route: `GET ${ONE}/report`, build: byMigration },
  { route: `GET ${ONE}/report/download`, build: byMigration },
  { route: `GET ${ONE}/configuration`, build: byMigration },
  {
    route: `PUT ${ONE}/configuration`,
    build: async (take) => ({ ...(await byMigration(take)), body: { objects: { Account: { selected: true } } } }),
  },
  { route: `GET ${ONE}/configuration/export`, build: byMigration },
  {
    route: `GET ${ONE}/configuration/check`,
    build: async (take) => ({
      ...(await byMigration(take)),
      query: { report_of: await migration(take, "?report_of") },
    }),
    outcomes: { "?report_of": { status: 404 } },
  },
  {
    route: `POST ${ONE}/configuration/import`,
    build: async (take) => ({ ...(await byMigration(take)), body: EXPORTED }),
  },
  { route: `GET ${ONE}/relationships`, build: byConnected },
  { route: `GET ${ONE}/owners`, build: byConnected },
  {
    route: `POST ${ONE}/owners/members`,
    build: async (take, { marker }) => ({
      ...(await byMigration(take)),
      body: { users: [{ id: "005M00000000001AAA", name: marker }] },
    }),
  },
  {
    route: `POST ${ONE}/undo`,
    build: async (take) => ({ path: { migration_id: await take("{migration_id}", makeCompleted) } }),
  },
  { route: `GET ${ONE}/history`, build: byMigration },
  { route: `GET ${ONE}/undo/impact`, build: byMigration },
  { route: `GET ${ONE}/undo/kept`, build: byMigration },
  { route: `GET ${ONE}/conflicts`, build: byMigration },
  {
    route: `POST ${ONE}/conflicts/decide`,
    build: async (take, side) => {
      const path = await byMigration(take);
      const own = path.path.migration_id;
      const id = await take("/ids/0", async (from) => conflictOf(from === side ? own : await makeMigration(from)));
      return { ...path, body: { ids: [id], take: "ours" } };
    },
    // It is listed as not decided.
    outcomes: { "/ids/0": { status: 200 } },
  },
  { route: `GET ${ONE}/duplicates`, build: byMigration },
  { route: `GET ${ONE}/duplicates/summary`, build: byMigration },
  {
    route: `POST ${ONE}/duplicates/preview`,
    build: async (take) => ({ ...(await byMigration(take)), body: { configuration: { objects: COMPARED } } }),
  },
  {
    route: `POST ${ONE}/preview`,
    build: async (take) => ({ ...(await byConnected(take)), body: { object: "Account" } }),
  },
  {
    route: `GET ${ONE}/proof`,
    build: async (take) => ({ path: { migration_id: await take("{migration_id}", provenMigration) } }),
  },
  { route: `POST ${ONE}/proof`, build: byMigrationIn("completed") },
  { route: `POST ${ONE}/pause`, build: byMigrationIn("running") },
  { route: `POST ${ONE}/resume`, build: byMigrationIn("paused") },
  { route: `GET ${ONE}/errors/download`, build: byMigration },
  {
    route: `POST ${ONE}/delta`,
    build: async (take) => ({ path: { migration_id: await take("{migration_id}", migrationWithFailure) } }),
  },
  {
    route: `PUT ${ONE}/delta/schedule`,
    build: async (take) => ({ ...(await byMigrationIn("completed")(take)), body: { every_minutes: 60 } }),
  },
  { route: `DELETE ${ONE}/delta/schedule`, build: byMigration },
  {
    route: `POST ${ONE}/retry`,
    build: async (take) => ({ path: { migration_id: await take("{migration_id}", migrationWithFailure) } }),
  },
  { route: `POST ${ONE}/cancel`, build: byMigrationIn("running") },
  {
    route: `POST ${ONE}/reconnect`,
    build: async (take) => ({
      path: { migration_id: await take("{migration_id}", disconnectedMigration) },
      body: { connection_id: await take("/connection_id", connection) },
    }),
    outcomes: { "/connection_id": { status: 404 } },
  },
  { route: `GET ${ONE}/errors`, build: byMigration },
  { route: `GET ${ONE}/errors/summary`, build: byMigration },
];
