import { setTimeout as pause } from "node:timers/promises";

import type { RestClient } from "@/tests/service/support/rest-client";
import type { SourceObject } from "@/tests/service/support/source-org";

const POLL_EVERY_MS = 300;

/** One object's row of the reconciliation. */
export interface ObjectRow {
  object: SourceObject;
  status: string;
  source: number | null;
  created: number;
  updated: number;
  unchanged: number;
  skipped: number;
  failed: number;
  reconciled: boolean;
}

export interface Migration {
  migration_id: string;
  status: string;
  reconciled: boolean | null;
  objects: ObjectRow[];
  failure: { code: string; detail: string; remedy: string } | null;
}

/** Analyzes a Salesforce org, given as the request body, and waits until the analysis has ended. */
export async function analyze(client: RestClient, connection: object): Promise<Migration> {
  const { status, body } = await client.post<Migration>("/api/v1/migration/analyze", connection);
  if (status !== 202) throw new Error(`The analysis was refused with ${status}: ${JSON.stringify(body)}`);
  return until(client, body.migration_id, ({ status }) => status !== "analyzing");
}

/** Runs a migration and waits until it has ended, with any status. */
export async function run(client: RestClient, migrationId: string): Promise<Migration> {
  const { status, body } = await client.post<Migration>("/api/v1/migration/run", { migration_id: migrationId });
  if (status !== 202) throw new Error(`The run was refused with ${status}: ${JSON.stringify(body)}`);
  return until(client, migrationId, ({ status }) => status !== "running");
}

async function until(
  client: RestClient,
  migrationId: string,
  isOver: (migration: Migration) => boolean,
): Promise<Migration> {
  for (;;) {
    const migration = await client.get<Migration>(`/api/v1/migration/${migrationId}`);
    if (isOver(migration)) return migration;
    await pause(POLL_EVERY_MS);
  }
}
