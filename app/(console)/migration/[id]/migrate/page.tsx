import { type PageQuery, Prefetched } from "@/app/prefetched";
import { requireSession } from "@/app/session";
import { queryKeys } from "@/components/api/query-keys";
import { SHORT_PAGE } from "@/components/api/use-list";
import { historyKey } from "@/components/migration/history/use-history";
import { MigrateStep } from "@/components/migration/migrate/migrate-step";
import { momentOf } from "@/components/migration/use-migration";
import { STATUSES } from "@/components/migration/wizard/migration-statuses";
import type { Context } from "@/lib/context";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { listConflicts } from "@/lib/migration/conflicts/list-conflicts";
import { listHistory } from "@/lib/migration/history/list-history";
import { getProof } from "@/lib/migration/proof/prove-migration";
import { getMigration } from "@/lib/migration/read-migrations";
import { summarizeRecordIssues } from "@/lib/migration/record-issues";
import { execute, valueOf } from "@/lib/operation";

export const metadata = { title: "Migrate" };

export default async function MigratePage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  const context = await requireSession(`/migration/${id}/migrate`);
  return (
    <Prefetched context={context} queries={await outcomeQueries(context, id)}>
      <MigrateStep id={id} isAdmin={context.role === "admin"} canSignIn={env.SALESFORCE_CLIENT_ID !== undefined} />
    </Prefetched>
  );
}

/** What the page says of a run that has ended. Where there is no such migration, the browser says so. */
async function outcomeQueries(context: Context, id: string): Promise<PageQuery[]> {
  const input = { migration_id: id };
  const migration = await execute(getMigration, context, input).then(valueOf, leaveToBrowser);
  if (!migration || STATUSES[migration.status].isLive) return [];
  const moment = momentOf(migration);
  return [
    { key: queryKeys.issues(id, moment), operation: summarizeRecordIssues, input, list: "rows" },
    { key: queryKeys.proof(id), operation: getProof, input, isOptional: true },
    {
      key: queryKeys.conflicts(id, moment),
      operation: listConflicts,
      input: { ...input, state: "open", limit: SHORT_PAGE },
      list: "pages",
    },
    { key: historyKey(migration), operation: listHistory, input: { ...input, limit: SHORT_PAGE }, list: "pages" },
  ];
}

function leaveToBrowser(error: unknown): null {
  if (error instanceof AppError) return null;
  throw error;
}
