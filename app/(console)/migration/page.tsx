import { type PageQuery, Prefetched } from "@/app/prefetched";
import { requireSession } from "@/app/session";
import { queryKeys } from "@/components/api/query-keys";
import { MigrationOverview } from "@/components/migration/overview/migration-overview";
import { listConnections } from "@/lib/migration/connections/connected-orgs";
import { listMigrations } from "@/lib/migration/read-migrations";

export const metadata = { title: "Migration" };

const QUERIES: PageQuery[] = [
  { key: queryKeys.migrations(), operation: listMigrations, input: {}, list: "pages" },
  { key: queryKeys.connections(), operation: listConnections, input: {}, list: "pages" },
];

export default async function MigrationPage() {
  return (
    <Prefetched context={await requireSession("/migration")} queries={QUERIES}>
      <MigrationOverview />
    </Prefetched>
  );
}
