import { requireSession } from "@/app/session";
import { MigrateStep } from "@/components/migration/migrate/migrate-step";

export const metadata = { title: "Migrate" };

export default async function MigratePage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  await requireSession(`/migration/${id}/migrate`);
  return <MigrateStep id={id} />;
}
