import type { Pool, PoolClient } from "pg";

import { answeringTransaction } from "@/lib/database/transactions";
import { pool, prisma } from "@/lib/database/db";
import { AppError } from "@/lib/errors";
import { requestJobs } from "@/lib/jobs";
import { assertSameSource } from "@/lib/migration/assert-same-source";
import { findMigration } from "@/lib/migration/find-migration";
import { findMigrationContents, parseReport } from "@/lib/migration/migration-contents";
import type { Failure, MigrationStatus, MigrationKey } from "@/lib/migration/migration-schema";
import { IMPORT_ORDER, type SourceObjectName } from "@/lib/migration/objects/source-object-names";
import { type ObjectProof, proof, type Proof } from "@/lib/migration/proof/proof-schema";
import { migrationInput, migrationNotFound } from "@/lib/migration/migration-key";
import { ENDED } from "@/lib/migration/status";
import { MAY_HAVE_FOUND } from "@/lib/migration/undo/undo-steps";
import { defineOperation } from "@/lib/operation";

const UPSERT = `INSERT INTO migration_proofs AS p (organization_id, migration_id, run_number, read_until, requested_at)
  SELECT organization_id, id, run_number, read_until, now() FROM migrations
  WHERE organization_id = $1 AND id = $2 AND status = ANY ($3::migration_status[]) AND read_until IS NOT NULL
  ON CONFLICT (organization_id, migration_id) DO UPDATE SET run_number = excluded.run_number,
    read_until = excluded.read_until, status = 'pending', requested_at = excluded.requested_at, finished_at = NULL,
    objects = '{}', failure = NULL
  WHERE p.status <> 'pending' OR p.requested_at < now() - interval '1 day'
  RETURNING extract(epoch FROM requested_at)::text AS requested`;

export const proveMigration = defineOperation({
  name: "prove_migration",
  summary:
    "Compare what a migration imported with its Salesforce org once more, in the background: ids, children per " +
    "parent, sums of amounts, counts by picklist value. Poll the proof until it is no longer pending.",
  scopes: ["crm:write"],
  stores: true,
  status: 202,
  input: migrationInput,
  output: proof,
  async run(context, { migration_id: migrationId }) {
    const { organizationId } = context;
    await assertSource(organizationId, migrationId);
    return answeringTransaction(context, async (client) => {
      await requestProof(client, { organizationId, migrationId });
      return findProof(organizationId, migrationId, client);
    });
  },
});

/** Requests nothing when a proof is pending. Throws `illegal_state` when there is no result to prove. */
async function requestProof(client: PoolClient, key: MigrationKey): Promise<void> {
  const { organizationId, migrationId } = key;
  const { rows } = await client.query<{ requested: string }>(UPSERT, [organizationId, migrationId, ENDED]);
  const requested = rows[0]?.requested;
  if (requested === undefined) return assertProvable(client, key);
  const data = { organization_id: organizationId, migration_id: migrationId };
  await requestJobs(client, [{ name: "migration/prove.requested", data, id: `prove-${migrationId}-${requested}` }]);
}

async function assertProvable(client: PoolClient, { organizationId, migrationId }: MigrationKey): Promise<void> {
  const { rows } = await client.query<{ status: MigrationStatus; has_read: boolean }>(
    `SELECT status, read_until IS NOT NULL AS has_read FROM migrations WHERE organization_id = $1 AND id = $2`,
    [organizationId, migrationId],
  );
  const [migration] = rows;
  if (!migration) throw migrationNotFound();
  const { status, has_read: hasRead } = migration;
  if (ENDED.includes(status) && hasRead) return;
  throw new AppError(
    "illegal_state",
    ENDED.includes(status)
      ? `The last run ended before it read anything (status \`${status}\`), so there is nothing to compare. Run the ` +
          "migration again, then compare."
      : `The migration has the status \`${status}\`. Its result can be proven once a run has ended.`,
  );
}

async function assertSource(organizationId: string, migrationId: string): Promise<void> {
  const report = parseReport(await findMigrationContents(organizationId, migrationId));
  const migration = await prisma().migrations.findFirst({
    where: { organization_id: organizationId, id: migrationId },
    select: { connection_id: true },
  });
  if (!migration) throw migrationNotFound();
  await assertSameSource(organizationId, migration.connection_id, report ?? {});
}

export const getProof = defineOperation({
  name: "get_migration_proof",
  summary: "Get the latest proof of a migration: whether everything of the Salesforce org is here, and what differs.",
  scopes: ["crm:read"],
  input: migrationInput,
  output: proof,
  run: ({ organizationId }, { migration_id: migrationId }) => findProof(organizationId, migrationId),
});

interface Row {
  run_number: number;
  status: Proof["status"];
  requested_at: Date;
  finished_at: Date | null;
  /** Null: the run has not read the object to its end. */
  objects: Partial<Record<SourceObjectName, ObjectProof | null>>;
  failure: Failure | null;
  read_until: Date | null;
  outdated_by_undo: boolean;
  ext_instance_url: string;
  org_id: string | null;
  org_name: string | null;
  username: string | null;
}

/** SQL: whether an undo has gone on since the proof was requested. When one failed, the history knows. */
const IS_OUTDATED = `EXISTS (SELECT FROM migrations own
  WHERE own.organization_id = m.organization_id AND own.undo_started_at IS NOT NULL
    AND (own.id = m.id OR ${MAY_HAVE_FOUND}) AND p.requested_at < CASE WHEN own.status = 'undoing' THEN now()
      ELSE coalesce(own.undo_finished_at, (SELECT max(h.created_at) FROM migration_history h
        WHERE h.organization_id = own.organization_id AND h.migration_id = own.id AND h.event = 'undo_failed'
          AND h.created_at >= own.undo_started_at), own.undo_started_at) END)`;

const FIND = `SELECT p.run_number, p.status, p.requested_at, p.finished_at, p.objects, p.failure, p.read_until,
    p.status = 'done' AND ${IS_OUTDATED} AS outdated_by_undo, c.ext_instance_url, c.source_org_id AS org_id,
    c.source_org_name AS org_name, c.source_username AS username
  FROM migration_proofs p JOIN migrations m ON m.organization_id = p.organization_id AND m.id = p.migration_id
  JOIN connections c ON c.organization_id = m.organization_id AND c.id = m.connection_id
  WHERE p.organization_id = $1 AND p.migration_id = $2`;

/** Throws `not_found`, also if no proof was requested yet. */
async function findProof(
  organizationId: string,
  migrationId: string,
  database: Pool | PoolClient = pool(),
): Promise<Proof> {
  await findMigration(organizationId, migrationId, database);
  const row = (await database.query<Row>(FIND, [organizationId, migrationId])).rows[0];
  if (!row) throw new AppError("not_found", "No proof of this migration was made. Request one with POST.");
  const { objects: stored, requested_at, finished_at, read_until, ...rest } = row;
  const objects = IMPORT_ORDER.flatMap((name) => stored[name] ?? []);
  const notRead = IMPORT_ORDER.filter((name) => stored[name] === null);
  const isProven = objects.length > 0 && notRead.length === 0 && objects.every(({ proven }) => proven);
  return {
    migration_id: migrationId,
    ...rest,
    requested_at: requested_at.toISOString(),
    finished_at: finished_at?.toISOString() ?? null,
    read_until: read_until?.toISOString() ?? null,
    objects,
    not_read: notRead,
    proven: row.status === "done" ? isProven : null,
  };
}
