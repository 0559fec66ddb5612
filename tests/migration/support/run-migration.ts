import { setTimeout as sleep } from "node:timers/promises";

import { transaction } from "@/lib/database/db";
import { newId } from "@/lib/ids";
import { type Configuration, configurationSchema } from "@/lib/migration/configuration/configuration-schema";
import { AUTOMATIC_OBJECTS } from "@/lib/migration/objects/source-object-names";
import type { RunKey, MigrationKey } from "@/lib/migration/migration-schema";
import type { SalesforceClient } from "@/lib/salesforce/client";
import { encrypt } from "@/lib/security/crypto";
import { startRun, workSlice } from "@/tests/migration/support/within";
import { createContext } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

interface Line {
  object: string;
  status: string;
  source: number;
  created: number;
  updated: number;
  unchanged: number;
  skipped: number;
  failed: number;
}

export interface Finished {
  status: string;
  failure: { code: string; detail: string; remedy: string } | null;
  lines: Record<string, Line>;
}

/** The address of the source; by default one that no test opens. */
interface Source {
  instanceUrl: string;
  accessToken: string;
}

const SCRIPTED: Source = { instanceUrl: "https://scripted.my.salesforce.com", accessToken: "token" };

/** Inserts a migration that is ready to run, of a new organization unless one is given. */
export async function createMigration(
  objects: readonly string[] = AUTOMATIC_OBJECTS,
  source = SCRIPTED,
  organizationId?: string,
): Promise<MigrationKey> {
  const context = await createContext(organizationId === undefined ? {} : { organizationId });
  const connection = newId();
  const migration = newId();
  await pool().query(
    `INSERT INTO connections
       (id, organization_id, ext_instance_url, access_token_enc, created_by_id, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, now(), now())`,
    [
      connection,
      context.organizationId,
      source.instanceUrl,
      encrypt(["connections.access_token_enc", context.organizationId, connection], source.accessToken),
      context.userId,
    ],
  );
  const report = { inventory: objects.map((object) => ({ object, status: "automatic" })) };
  await pool().query(
    `INSERT INTO migrations (organization_id, id, created_at, updated_at, connection_id, created_by_id, status, report)
     VALUES ($1, $2, now(), now(), $3, $4, 'ready', $5)`,
    [context.organizationId, migration, connection, context.userId, report],
  );
  return { organizationId: context.organizationId, migrationId: migration };
}

/** Starts a run and runs it to its end in slices of `milliseconds`. */
export async function runMigration(
  key: MigrationKey,
  client: SalesforceClient,
  options: { configuration?: Partial<Configuration>; milliseconds?: number; phase?: number } = {},
): Promise<Finished> {
  const run = await transaction((tx) =>
    startRun(tx, key, options.configuration && configurationSchema.parse(options.configuration), options.phase),
  );
  await workToTheEnd(run, client, options.milliseconds);
  return finishedOf(key);
}

export async function workToTheEnd(run: RunKey, client: SalesforceClient, milliseconds = 60_000): Promise<void> {
  for (;;) {
    const outcome = await workSlice(run, async () => client, milliseconds);
    if (outcome === "ended") return;
    if (outcome !== "more") await sleep(outcome.wait_ms);
  }
}

export async function finishedOf(key: MigrationKey): Promise<Finished> {
  const found = await pool().query<Finished>(`SELECT status, failure FROM migrations WHERE id = $1`, [key.migrationId]);
  const lines = await pool().query<Line>(
    `SELECT object, status, source::int, created::int, updated::int, unchanged::int, skipped::int, failed::int
     FROM migration_objects WHERE migration_id = $1 ORDER BY position`,
    [key.migrationId],
  );
  const [migration] = found.rows;
  if (!migration) throw new Error("There is no such migration.");
  return { ...migration, lines: Object.fromEntries(lines.rows.map((line) => [line.object, line])) };
}

/** All records of a resource by source id. */
export async function recordsOf(
  resource: string,
  organizationId: string,
): Promise<Record<string, Record<string, unknown>>> {
  const found = await pool().query<{ ext_id: string; record: Record<string, unknown> }>(
    `SELECT ext_id, to_jsonb(r) AS record FROM ${resource} r WHERE organization_id = $1`,
    [organizationId],
  );
  return Object.fromEntries(found.rows.map(({ ext_id, record }) => [ext_id, record]));
}

export async function issuesOf(
  key: MigrationKey,
): Promise<Record<string, { outcome: string; code: string; field: string; value: string; reason: string }>> {
  const found = await pool().query(
    `SELECT ext_id, outcome, code, field, value, reason FROM migration_record_issues WHERE migration_id = $1`,
    [key.migrationId],
  );
  return Object.fromEntries(found.rows.map(({ ext_id, ...issue }) => [ext_id, issue]));
}
