import type { PoolClient } from "pg";

import { postgresCode } from "@/lib/database/error-codes";
import { inSavepoint } from "@/lib/database/transactions";
import type { Repeat } from "@/lib/migration/configuration/configuration-schema";
import type { SourceObject } from "@/lib/migration/objects/declaration";
import { noteUnsearched } from "@/lib/migration/pipeline/files/file-progress";
import { assertNotRaced } from "@/lib/migration/pipeline/load/before-images";
import {
  enqueueEmitted,
  eventIdsFor,
  type LoadKey,
  lockImported,
  sqlTypeOf,
} from "@/lib/migration/pipeline/load/emit-imported";
import { keepEdited } from "@/lib/migration/pipeline/load/keep-edited";
import { isEdited, type LoadAnswer, loadStatement } from "@/lib/migration/pipeline/load/load-statement";
import { storeWaiting } from "@/lib/migration/pipeline/load/waiting-links";
import type { ShapePlan } from "@/lib/migration/pipeline/map/plan";
import { type Issue, issueOf, type Row } from "@/lib/migration/pipeline/map/transform";
import type { MigrationKey } from "@/lib/migration/migration-schema";

/** The outcomes of rows; they add up to the number of rows. */
export interface Loaded {
  created: number;
  updated: number;
  unchanged: number;
  issues: Issue[];
  /** The length of the JSON that was sent. */
  size: number;
}

/** What became of rows of one shape, and the source ids of those that were created. */
interface LoadedRows extends Loaded {
  createdIds: string[];
}

interface Target extends MigrationKey {
  client: PoolClient;
  plan: ShapePlan;
  object: SourceObject;
  /** Whether events are emitted. */
  emits: boolean;
  /** What becomes of records that somebody has edited here. */
  repeat: Repeat;
  /** The id by which records are found and changed here: the source id unless `id` is given. */
  by?: LoadKey;
}

const statements = new WeakMap<ShapePlan, Record<string, string>>();

function statementOf({ plan, emits, repeat, by = "ext_id" }: Target): string {
  const ofPlan = statements.get(plan) ?? {};
  statements.set(plan, ofPlan);
  const keeps = repeat !== "source_wins";
  return (ofPlan[`${by} ${emits} ${keeps}`] ??= loadStatement(plan, { by, emits, keeps }));
}

/**
 * Whether an error is caused by a row: data and constraint errors, and values beyond a limit (PostgreSQL, appendix A:
 * classes 21, 22, 23, 54).
 */
export function isFaultOfRow(error: unknown): error is Error {
  return /^(?:21|22|23|54)/.test(postgresCode(error) ?? "");
}

/**
 * Stores rows of one shape in the transaction of the caller. If the database refuses them, they are split in half until
 * the faulty rows stand alone. Those become issues; the others are stored.
 */
export async function loadRows(target: Target, rows: readonly Row[]): Promise<LoadedRows> {
  const json = JSON.stringify(rows);
  try {
    const answer = await inSavepoint(target.client, async () => {
      const loaded = await (target.emits ? loadAndEmit(target, rows, json) : load(target, json));
      assertNotRaced(loaded);
      if (loaded?.waits) await storeWaiting(target, rows);
      return loaded;
    });
    return await countLoaded(target, rows, answer, json.length);
  } catch (error) {
    if (!isFaultOfRow(error)) throw error;
    const [row] = rows;
    if (rows.length === 1 && row)
      return {
        created: 0,
        createdIds: [],
        updated: 0,
        unchanged: 0,
        issues: [notStorable(target, row, error)],
        size: json.length,
      };
    return loadHalves(target, rows);
  }
}

async function load(target: Target, json: string): Promise<LoadAnswer | undefined> {
  const values = [target.organizationId, json, target.migrationId];
  return (await target.client.query<LoadAnswer>(statementOf(target), values)).rows[0];
}

async function loadAndEmit(target: Target, rows: readonly Row[], json: string): Promise<LoadAnswer | undefined> {
  const { client, plan, organizationId, migrationId, by = "ext_id" } = target;
  const ids = rows.map((row) => row[by]);
  await lockImported(client, plan.shape.resource, organizationId, ids, by);
  const values = [organizationId, json, migrationId, eventIdsFor(ids, by)];
  const [answer] = (await client.query<LoadAnswer>(statementOf(target), values)).rows;
  enqueueEmitted(client, organizationId, answer);
  return answer;
}

async function loadHalves(target: Target, rows: readonly Row[]): Promise<LoadedRows> {
  const half = Math.ceil(rows.length / 2);
  const first = await loadRows(target, rows.slice(0, half));
  const second = await loadRows(target, rows.slice(half));
  return { ...sumOf(first, second), createdIds: [...first.createdIds, ...second.createdIds] };
}

export function sumOf(one: Loaded, other: Loaded): Loaded {
  return {
    created: one.created + other.created,
    updated: one.updated + other.updated,
    unchanged: one.unchanged + other.unchanged,
    issues: [...one.issues, ...other.issues],
    size: one.size + other.size,
  };
}

async function countLoaded(
  target: Target,
  rows: readonly Row[],
  answer: LoadAnswer | undefined,
  size: number,
): Promise<LoadedRows> {
  const { updated = 0, orphans } = answer ?? {};
  const createdIds = answer?.created ?? [];
  await noteUnsearched(target.client, target, createdIds);
  const created = createdIds.length;
  const issues = (orphans ?? []).map((orphan) => withoutParent(orphan, target.object.label));
  const unchanged = rows.length - created - updated - issues.length;
  if (unchanged === 0) return { created, createdIds, updated, unchanged, issues, size };
  const orphaned = new Set(issues.map((issue) => issue.ext_id));
  const edited = await findEdited(
    target,
    rows.filter((row) => !orphaned.has(row.ext_id)),
  );
  const kept = await keepEdited(
    target,
    rows.filter((row) => edited.has(row.ext_id)),
  );
  return { created, createdIds, updated, unchanged: unchanged - kept.length, issues: [...issues, ...kept], size };
}

/**
 * Asserts that rows that were neither created nor updated exist: counting the rest as unchanged would hide a loss.
 * Returns those that somebody has edited, if the source does not win over them.
 */
async function findEdited(
  { client, plan, organizationId, repeat, by = "ext_id" }: Target,
  rows: readonly Row[],
): Promise<Set<string>> {
  const edited = repeat === "source_wins" ? "'{}'::text[]" : `array_agg(t.ext_id) FILTER (WHERE ${isEdited("t")})`;
  const found = await client.query<{ present: number; edited: string[] | null }>(
    `SELECT count(*)::int AS present, ${edited} AS edited FROM ${plan.shape.resource} AS t
     WHERE organization_id = $1 AND ${by} = ANY($2::${sqlTypeOf(by)}[])`,
    [organizationId, rows.map((row) => row[by])],
  );
  const present = found.rows[0]?.present;
  if (present !== rows.length)
    throw new Error(`Of ${rows.length} ${plan.shape.resource} that should be stored, ${present} are.`);
  return new Set(found.rows[0]?.edited ?? []);
}

function withoutParent({ ext_id, field, value }: NonNullable<LoadAnswer["orphans"]>[number], label: string): Issue {
  const reason = value
    ? `The case ${value} that this ${label} belongs to was not imported.`
    : `This ${label} belongs to no case.`;
  return issueOf(ext_id, "failed", "missing_parent", reason, field ?? undefined, value);
}

function notStorable({ plan: { shape }, by = "ext_id" }: Target, row: Row, error: Error): Issue {
  const id = row[by];
  if ("constraint" in error && error.constraint === `${shape.resource}_pkey`) {
    const reason = `Somebody has given the record that was imported from it (${row.id}) another external id.`;
    return issueOf(id, "failed", "id_taken", reason, "Id", id);
  }
  const column = "column" in error && typeof error.column === "string" ? error.column : undefined;
  return issueOf(id, "failed", "not_storable", `The database could not store the record: ${error.message}.`, column);
}
