import type { Migration } from "@/lib/migration/migration-schema";
import type { Api } from "@/scripts/demo/api";
import type { ProgressBars } from "@/scripts/demo/progress-bars";
import { Fault } from "@/scripts/service/fault";

const POLL_EVERY_MS = 300;

/** Analyzes and migrates the org through the public API. Returns the ended migration, whatever its status. */
export async function migrate(
  api: Api,
  org: { ext_instance_url: string; ext_access_token: string },
  bars: ProgressBars,
): Promise<Migration> {
  const analyzed = await pollUntil(
    api,
    (await api.analyze(org)).migration_id,
    (migration) => migration.status !== "analyzing",
  );
  if (analyzed.status !== "ready")
    throw new Fault(
      `The analysis ended as ${analyzed.status}: ${analyzed.failure?.detail ?? ""} ${analyzed.failure?.remedy ?? ""}`,
    );
  await api.run(analyzed.migration_id);
  return pollUntil(api, analyzed.migration_id, (migration) => {
    bars.show(migration.objects);
    return migration.status !== "running";
  });
}

async function pollUntil(api: Api, migrationId: string, isOver: (migration: Migration) => boolean): Promise<Migration> {
  for (;;) {
    const migration = await api.migration(migrationId);
    if (isOver(migration)) return migration;
    await new Promise((done) => setTimeout(done, POLL_EVERY_MS));
  }
}
