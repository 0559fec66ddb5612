import { expect, test } from "vitest";

import { prepareDatabase } from "@/scripts/postgres/prepare-database";
import { pool } from "@/tests/support/owner";

function prepare(): Promise<{ applied: string[] }> {
  const { DATABASE_OWNER_URL: ownerUrl = "", DATABASE_URL: runtimeUrl } = process.env;
  return prepareDatabase(ownerUrl, { runtimeUrl, secrets: ["any"] });
}

test("a migration that failed stops a start until somebody has marked it as rolled back", async () => {
  await pool().query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, applied_steps_count)
     VALUES (gen_random_uuid(), 'none', '29991231000000_fails', now(), 0)`,
  );
  await expect(prepare()).rejects.toThrow("29991231000000_fails");
  await pool().query("UPDATE _prisma_migrations SET rolled_back_at = now() WHERE finished_at IS NULL");
  expect(await prepare()).toMatchObject({ applied: [] });
});
