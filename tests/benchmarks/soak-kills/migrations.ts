import { setTimeout as delay } from "node:timers/promises";

import type { Migration } from "@/lib/migration/migration-schema";
import type { CarefulClient } from "@/tests/benchmarks/soak-kills/careful-client";

/** A Salesforce org, and the records that each migration of it must account for. */
export interface Source {
  connection: { ext_instance_url: string; ext_access_token: string };
  records: number;
}

const POLL_EVERY_MS = 500;

/**
 * Migrates the org into one organization after the other, and takes each migration back, until `isOver`. Tells
 * of each that was completed, and how long it took. Throws if one ends otherwise, or with other counts than those of
 * the org.
 */
export async function migrateInTurn(
  organizations: readonly CarefulClient[],
  source: Source,
  isOver: () => boolean,
  onCompleted: (milliseconds: number) => void,
): Promise<void> {
  for (let turn = 0; !isOver(); turn += 1) {
    const started = performance.now();
    await migrateAndUndo(organizations[turn % organizations.length] as CarefulClient, source);
    onCompleted(performance.now() - started);
  }
}

async function migrateAndUndo(client: CarefulClient, { connection, records }: Source): Promise<void> {
  const { migration_id } = (await client.post("/migration/analyze", connection)) as unknown as Migration;
  const read = async () => (await client.get(`/migration/${migration_id}`)) as unknown as Migration;
  const leaves = async (status: Migration["status"]): Promise<Migration> => {
    for (;;) {
      const migration = await read();
      if (migration.status !== status) return migration;
      client.current = `migration ${migration_id}, ${status}`;
      await delay(POLL_EVERY_MS);
    }
  };
  const isBeyond = (status: Migration["status"]) => async () => (await read()).status !== status;

  assertStatus(await leaves("analyzing"), "ready");
  await client.step("/migration/run", { migration_id }, isBeyond("ready"));
  const migrated = await leaves("running");
  assertStatus(migrated, "completed");
  const counted = migrated.objects.reduce((sum, { source }) => sum + (source ?? 0), 0);
  if (!migrated.reconciled || counted !== records)
    throw new Error(`Migration ${migration_id} counts ${counted} of ${records} records: ${objectsOf(migrated)}`);
  await client.step(`/migration/${migration_id}/undo`, {}, isBeyond("completed"));
  assertStatus(await leaves("undoing"), "undone");
}

function assertStatus(migration: Migration, expected: Migration["status"]): void {
  if (migration.status !== expected)
    throw new Error(
      `Migration ${migration.migration_id} ended as ${migration.status} in place of ${expected}: ` +
        `${JSON.stringify(migration.failure)} ${objectsOf(migration)}`,
    );
}

function objectsOf({ objects }: Migration): string {
  return JSON.stringify(objects);
}
