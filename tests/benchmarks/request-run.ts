import { transaction } from "@/lib/database/db";
import { inOrganization } from "@/lib/database/organization-scope";
import { requestJob } from "@/lib/jobs";
import { startDelta } from "@/lib/migration/runs/start-delta";
import { startRun } from "@/lib/migration/runs/start-migration";
import type { MigrationKey } from "@/lib/migration/migration-schema";

/** Starts a run of a migration, all of it or a delta, and asks the worker for it. Returns the number of the run. */
export async function requestRun(key: MigrationKey, kind: "full" | "delta" = "full"): Promise<number> {
  const { organizationId, migrationId } = key;
  const { runNumber } = await inOrganization(organizationId, () =>
    transaction((tx) => (kind === "full" ? startRun(tx, key) : startDelta(tx, key))),
  );
  const data = { organization_id: organizationId, migration_id: migrationId, run_number: runNumber };
  await requestJob("migration/run.requested", data, `${migrationId}/${runNumber}`);
  return runNumber;
}
