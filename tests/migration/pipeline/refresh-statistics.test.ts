import { expect, onTestFinished, test } from "vitest";

import { createMigration, runMigration } from "@/tests/migration/support/run-migration";
import { ScriptedSource, sourceRecord } from "@/tests/migration/support/scripted-source";
import { pool } from "@/tests/support/owner";

async function analyzedColumns(): Promise<string[]> {
  const { rows } = await pool().query<{ attname: string }>(
    "SELECT attname FROM pg_stats WHERE schemaname = 'public' AND tablename = 'accounts'",
  );
  return rows.map(({ attname }) => attname);
}

test("an import refreshes the statistics of the columns that its plans need, and of no others", async () => {
  // Autovacuum looks at all columns.
  await pool().query("ALTER TABLE accounts SET (autovacuum_enabled = off)");
  onTestFinished(async () => void (await pool().query("ALTER TABLE accounts RESET (autovacuum_enabled)")));
  await pool().query("DELETE FROM pg_statistic WHERE starelid = 'accounts'::regclass");
  const Account = [sourceRecord("001", 1, { Name: "One" }), sourceRecord("001", 2, { Name: "Two" })];
  await runMigration(await createMigration(["Account"]), new ScriptedSource({ Account }));
  const columns = await analyzedColumns();
  expect(columns).toEqual(expect.arrayContaining(["organization_id", "id", "ext_id"]));
  expect(columns).not.toContain("custom_fields");
  expect(columns).not.toContain("description");
});
