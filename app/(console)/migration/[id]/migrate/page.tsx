import { readMigration } from "@/app/(console)/migration/[id]/current-migration";
import { type PageQuery, Prefetched } from "@/app/prefetched";
import { requireSession } from "@/app/session";
import { queryKeys } from "@/components/api/query-keys";
import { SHORT_PAGE } from "@/components/api/use-list";
import { historyKey } from "@/components/migration/history/use-history";
import { MigrateStep } from "@/components/migration/migrate/migrate-step";
import { momentOf } from "@/components/migration/use-migration";
import { isUnderWay } from "@/components/migration/wizard/migration-statuses";
import type { Context } from "@/lib/context";
import { listConflicts } from "@/lib/migration/conflicts/list-conflicts";
import { getConfiguration } from "@/lib/migration/configuration/configure-migration";
import type { Migration } from "@/lib/migration/migration-schema";
import { listHistory } from "@/lib/migration/history/list-history";
import { getProof } from "@/lib/migration/proof/prove-migration";
import { getReport } from "@/lib/migration/read-migrations";
import { summarizeRecordIssues } from "@/lib/migration/record-issues";

export const metadata = { title: "Migrate" };

export default async function MigratePage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  const context = await requireSession(`/migration/${id}/migrate`);
  return (
    <Prefetched context={context} queries={await queriesOf(context, id)}>
      <MigrateStep id={id} isAdmin={context.role === "admin"} />
    </Prefetched>
  );
}

/** What the page shows beside the migration. Where there is no such migration, the browser says so. */
async function queriesOf(context: Context, id: string): Promise<PageQuery[]> {
  const migration = await readMigration(context, id);
  if (!migration || isUnderWay(migration.status)) return [];
  return migration.status === "ready" ? startQueries(id) : outcomeQueries(migration);
}

function startQueries(id: string): PageQuery[] {
  const input = { migration_id: id };
  return [
    { key: queryKeys.report(id), operation: getReport, input },
    { key: queryKeys.configuration(id), operation: getConfiguration, input },
  ];
}

function outcomeQueries(migration: Migration): PageQuery[] {
  const { migration_id: id } = migration;
  const input = { migration_id: id };
  const moment = momentOf(migration);
  return [
    { key: queryKeys.issues(id, moment), operation: summarizeRecordIssues, input, list: "rows" },
    { key: queryKeys.configuration(id), operation: getConfiguration, input },
    ...(migration.has_proof ? [{ key: queryKeys.proof(id), operation: getProof, input }] : []),
    {
      key: queryKeys.conflicts(id, moment),
      operation: listConflicts,
      input: { ...input, state: "open", limit: SHORT_PAGE },
      list: "pages",
    },
    { key: historyKey(migration), operation: listHistory, input: { ...input, limit: SHORT_PAGE }, list: "pages" },
  ];
}
