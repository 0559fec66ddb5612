import { requireSession } from "@/app/session";
import { MigrateStep } from "@/components/migration/migrate/migrate-step";
import { env } from "@/lib/env";

export const metadata = { title: "Migrate" };

export default async function MigratePage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  const { role } = await requireSession(`/migration/${id}/migrate`);
  return <MigrateStep id={id} isAdmin={role === "admin"} canSignIn={env.SALESFORCE_CLIENT_ID !== undefined} />;
}
