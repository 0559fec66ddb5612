import { pool } from "@/lib/database/db";
import { AppError } from "@/lib/errors";
import { ARE_CHOICES_CHANGED } from "@/lib/migration/configuration/configuration-tags";
import { openMigrationSource } from "@/lib/migration/connections/open-source";
import { describeFailure, logFailure, namingObject } from "@/lib/migration/failure";
import { parseConfiguration } from "@/lib/migration/migration-contents";
import type { MigrationKey } from "@/lib/migration/migration-schema";
import type { SourceObjectName } from "@/lib/migration/objects/source-object-names";
import { sourceObjectName } from "@/lib/migration/objects/source-object-name-schema";
import { BEGUN } from "@/lib/migration/pipeline/finish-run";
import type { ObjectProof } from "@/lib/migration/proof/proof-schema";
import { proveObject } from "@/lib/migration/proof/prove-object";
import { migrationNotFound } from "@/lib/migration/migration-key";
import { ENDED, statusOf } from "@/lib/migration/status";

/** The steps of a proof in order. Each stores its findings and can be repeated. */

/** Step 1: the objects that the run was to read, and those of earlier runs. */
export async function listProvenObjects({ organizationId, migrationId }: MigrationKey): Promise<SourceObjectName[]> {
  const { rows } = await pool().query<{ object: string }>(
    `SELECT object FROM migration_objects WHERE organization_id = $1 AND migration_id = $2 AND ${BEGUN}
     ORDER BY position`,
    [organizationId, migrationId],
  );
  return rows.map(({ object }) => sourceObjectName.parse(object));
}

interface Read {
  configuration: unknown;
  status: string;
  read_until: Date | null;
  choices_changed: boolean;
}

/** SQL: the proof and its migration, as long as no run or undo has begun since the proof was requested. $3: ENDED. */
const OF_ITS_RUN = `p.organization_id = $1 AND p.migration_id = $2 AND p.status = 'pending'
  AND m.organization_id = p.organization_id AND m.id = p.migration_id AND m.run_number = p.run_number
  AND m.status = ANY ($3::migration_status[])`;

// Objects of different phases were read at different times.
const FIND = `SELECT m.configuration, o.status, coalesce(o.read_until, m.read_until) AS read_until,
    ${ARE_CHOICES_CHANGED} AS choices_changed
  FROM migration_proofs p, migrations m, migration_objects o
  WHERE ${OF_ITS_RUN} AND o.organization_id = m.organization_id AND o.migration_id = m.id AND o.object = $4`;

/**
 * Step 2, for each object: compares it with the source; null is stored of one that no run has read to its end. A run
 * that begins meanwhile would make differences where there are none, so the proof then ends.
 */
export async function prove(key: MigrationKey, object: SourceObjectName): Promise<void> {
  const { organizationId, migrationId } = key;
  const { rows } = await pool().query<Read>(FIND, [organizationId, migrationId, ENDED, object]);
  const [read] = rows;
  if (!read) throw await begunMeanwhile(key);
  if (read.status !== "done") return store(key, object, null);
  if (!read.read_until) throw migrationNotFound();
  const client = await openMigrationSource(key);
  const choices = parseConfiguration(read.configuration).objects[object];
  const source = { key, client, window: { until: read.read_until }, choicesChanged: read.choices_changed };
  await store(key, object, await namingObject(object, () => proveObject(source, object, choices)));
}

async function store(key: MigrationKey, object: SourceObjectName, proven: ObjectProof | null): Promise<void> {
  const { rowCount } = await pool().query(
    `UPDATE migration_proofs p SET objects = p.objects || jsonb_build_object($4::text, $5::jsonb)
     FROM migrations m WHERE ${OF_ITS_RUN}`,
    [key.organizationId, key.migrationId, ENDED, object, JSON.stringify(proven)],
  );
  if (rowCount === 0) throw await begunMeanwhile(key);
}

async function begunMeanwhile(key: MigrationKey): Promise<AppError> {
  const status = await statusOf(pool(), key);
  const isUndone = status === "undoing" || status === "undone";
  return new AppError(
    "illegal_state",
    isUndone
      ? "The migration was undone meanwhile, so there is nothing left to compare."
      : "A run began meanwhile. Compare again when it has ended.",
  );
}

/** Step 3: ends the proof. */
export async function finishProof({ organizationId, migrationId }: MigrationKey): Promise<void> {
  await pool().query(
    `UPDATE migration_proofs SET status = 'done', finished_at = now()
     WHERE organization_id = $1 AND migration_id = $2 AND status = 'pending'`,
    [organizationId, migrationId],
  );
}

/** Ends a proof in `failed` with the reason. */
export async function failProof({ organizationId, migrationId }: MigrationKey, error: unknown): Promise<void> {
  const failure = describeFailure(error, "proof");
  logFailure({ work: "proof", migrationId }, failure, error);
  await pool().query(
    `UPDATE migration_proofs SET status = 'failed', finished_at = now(), failure = $3
     WHERE organization_id = $1 AND migration_id = $2 AND status = 'pending'`,
    [organizationId, migrationId, JSON.stringify(failure)],
  );
}
