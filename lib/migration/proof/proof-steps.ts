import { pool, prisma } from "@/lib/database/db";
import { configuration } from "@/lib/migration/configuration/configuration-schema";
import { openMigrationSource } from "@/lib/migration/connections/open-source";
import { describeFailure } from "@/lib/migration/failure";
import type { MigratedObjectName } from "@/lib/migration/objects/migrated-objects";
import { migratedObject } from "@/lib/migration/objects/migrated-object-schema";
import { BEGUN } from "@/lib/migration/pipeline/finish-run";
import type { ObjectProof } from "@/lib/migration/proof/proof-schema";
import { proveObject } from "@/lib/migration/proof/prove-object";
import { type MigrationKey, migrationNotFound } from "@/lib/migration/status";
import { log } from "@/lib/log";

/** The steps of a proof in order. Each stores its findings and can be repeated. */

/** Step 1: the objects that the run was to read, and those of earlier runs. */
export async function listProvenObjects({ organizationId, migrationId }: MigrationKey): Promise<MigratedObjectName[]> {
  const { rows } = await pool().query<{ object: string }>(
    `SELECT object FROM migration_objects WHERE organization_id = $1 AND migration_id = $2 AND ${BEGUN}
     ORDER BY position`,
    [organizationId, migrationId],
  );
  return rows.map(({ object }) => migratedObject.parse(object));
}

/** Step 2, for each object: compares it with the source; null is stored of one that no run has read to its end. */
export async function prove(key: MigrationKey, object: MigratedObjectName): Promise<void> {
  const { organizationId, migrationId } = key;
  const migration = await prisma().migrations.findFirst({
    where: { organization_id: organizationId, id: migrationId },
    select: {
      configuration: true,
      read_until: true,
      objects: { where: { object }, select: { read_until: true, status: true } },
    },
  });
  if (!migration) throw migrationNotFound();
  const [progress] = migration.objects;
  if (progress?.status !== "done") return store(key, object, null);
  // Objects of different phases were read at different times.
  const until = progress.read_until ?? migration.read_until;
  if (!until) throw migrationNotFound();
  const client = await openMigrationSource(organizationId, migrationId);
  const choices = configuration.parse(migration.configuration ?? {}).objects[object];
  await store(key, object, await proveObject({ key, client, window: { until } }, object, choices));
}

async function store(
  { organizationId, migrationId }: MigrationKey,
  object: MigratedObjectName,
  proven: ObjectProof | null,
): Promise<void> {
  await pool().query(
    `UPDATE migration_proofs SET objects = objects || jsonb_build_object($3::text, $4::jsonb)
     WHERE organization_id = $1 AND migration_id = $2 AND status = 'pending'`,
    [organizationId, migrationId, object, JSON.stringify(proven)],
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
  log.error({ migration_id: migrationId, failure_code: failure.code, err: error }, "proof failed");
  await pool().query(
    `UPDATE migration_proofs SET status = 'failed', finished_at = now(), failure = $3
     WHERE organization_id = $1 AND migration_id = $2 AND status = 'pending'`,
    [organizationId, migrationId, JSON.stringify(failure)],
  );
}
