import { setTimeout as sleep } from "node:timers/promises";

import { expect } from "vitest";

import type { RunKey, MigrationKey } from "@/lib/migration/migration-schema";
import type { SalesforceClient } from "@/lib/salesforce/client";
import type { Finished } from "@/tests/migration/support/run-migration";
import { findMigration, workSlice } from "@/tests/migration/support/within";
import { pool } from "@/tests/support/owner";

/** How a run stopped, and what it says about it. `silent`: it neither ended nor says what it waits for. */
export interface Stop {
  kind: "completed" | "failed" | "paused" | "waiting" | "silent";
  detail: string;
}

const MAX_SLICES = 100;

/** Works on a run until it ends, is paused, or waits. */
export async function stopOf(run: RunKey, client: SalesforceClient): Promise<Stop> {
  for (let slice = 0; slice < MAX_SLICES; slice += 1) {
    let thrown: unknown;
    const outcome = await workSlice(run, async () => client, 60_000).catch((error: unknown) => {
      thrown = error;
      return "ended" as const;
    });
    if (outcome === "ended") return describeStop(run, thrown);
    if (outcome !== "more") await sleep(Math.min(outcome.wait_ms, 50));
  }
  return { kind: "silent", detail: `It is not at its end after ${MAX_SLICES} slices.` };
}

async function describeStop(run: RunKey, thrown: unknown): Promise<Stop> {
  const { status, failure, waiting } = await findMigration(run.organizationId, run.migrationId);
  if (status === "completed" || status === "completed_with_errors") return { kind: "completed", detail: "" };
  if (status === "running" && waiting) return { kind: "waiting", detail: waiting.reason };
  if ((status === "failed" || status === "paused") && failure?.detail && failure.remedy)
    return { kind: status, detail: failure.detail };
  return { kind: "silent", detail: `${status}: ${String(thrown)}` };
}

/** Every source record is accounted for; some may be listed as failed, as those whose case was deleted. */
export function expectWhole({ status, failure, lines }: Finished): void {
  const hasFailed = Object.values(lines).some(({ failed }) => failed > 0);
  expect({ status, failure }).toEqual({ status: hasFailed ? "completed_with_errors" : "completed", failure: null });
  for (const { source, created, updated, unchanged, skipped, failed } of Object.values(lines))
    expect(created + updated + unchanged + skipped + failed).toBe(source);
}

const TABLES = ["accounts", "contacts", "cases", "case_comments", "activities"];

const ID = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** What differs between two imports of the same org. Digests depend on the members of the organization. */
const OWN = "{organization_id,migration_id,owner_id,author_id,version,imported_version,source_digest,updated_at}";

/** All records and files as texts, with source ids in place of ids. Each appears as often as it is here. */
export async function contentOf({ organizationId }: MigrationKey): Promise<string[]> {
  const names = new Map<string, string>();
  const texts: string[] = [];
  for (const table of TABLES) {
    const { rows } = await pool().query<{ id: string; ext_id: string; text: string }>(
      `SELECT id, ext_id, (to_jsonb(r) - $2::text[])::text AS text FROM ${table} r WHERE organization_id = $1`,
      [organizationId, OWN],
    );
    for (const { id, ext_id, text } of rows) {
      names.set(id, ext_id);
      texts.push(`${table} ${text}`);
    }
  }
  const files = await pool().query<{ text: string }>(
    `SELECT 'files ' || concat_ws(' ', record_id, ext_id, name, size, sha256) AS text
     FROM files WHERE organization_id = $1`,
    [organizationId],
  );
  return [...texts, ...files.rows.map(({ text }) => text)]
    .map((text) => text.replaceAll(ID, (id) => names.get(id) ?? id))
    .toSorted();
}
