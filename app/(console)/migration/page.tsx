import { requireSession } from "@/app/session";
import { MigrationOverview } from "@/components/migration/overview/migration-overview";

export const metadata = { title: "Migration" };

export default async function MigrationPage() {
  await requireSession("/migration");
  return <MigrationOverview />;
}
