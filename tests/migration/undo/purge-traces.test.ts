import { beforeEach, expect, test } from "vitest";

import { inOrganization } from "@/lib/database/organization-scope";
import { registerJobSender } from "@/lib/jobs";
import { undoMigration } from "@/lib/migration/undo/undo-migration";
import { workUndo } from "@/lib/migration/undo/work-undo";
import { createMigration, runMigration } from "@/tests/migration/support/run-migration";
import { org, statusOf } from "@/tests/migration/support/undo";
import { run } from "@/tests/records/support/write-operations";
import { createContext } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

beforeEach(() => registerJobSender(async () => undefined));

test("what an undo forgets at its end goes page by page, each in a transaction of its own", async () => {
  const key = await createMigration(["Account"]);
  const { organizationId, migrationId } = key;
  const context = await createContext({ organizationId });
  await runMigration(key, org());
  await pool().query(
    `INSERT INTO ext_aliases (organization_id, ext_id, entity, record_id, migration_id)
     SELECT $1, n, 'accounts', uuidv7(), $2 FROM generate_series(1, 6000) AS n`,
    [organizationId, migrationId],
  );
  await run(undoMigration, context, { migration_id: migrationId });
  const left = new Set<number | null>();
  for (let outcome = "more"; outcome === "more";) {
    outcome = await inOrganization(organizationId, () => workUndo({ ...key, undoNumber: 1 }, 0));
    left.add((await pool().query("SELECT FROM ext_aliases WHERE organization_id = $1", [organizationId])).rowCount);
  }
  expect([...left]).toEqual([6000, 1000, 0]);
  expect((await statusOf(key)).status).toBe("undone");
});
